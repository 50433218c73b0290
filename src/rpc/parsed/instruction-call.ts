import type { Address } from '../../solana/address.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import { sortMembers } from './sort-members.ts';

/** A reader for one instruction: its accounts by position, its data front to back. */
export class InstructionCall extends ByteReader {
  readonly accounts: readonly Address[];
  /** The whole data. */
  readonly data: Uint8Array;

  constructor(accounts: readonly Address[], data: Uint8Array) {
    super(data);
    this.accounts = accounts;
    this.data = data;
  }

  /** @throws {Unparsable} if the instruction has fewer accounts. */
  account(position: number): Address {
    const address = this.accounts[position];
    if (address === undefined) throw new Unparsable('too few accounts');
    return address;
  }
}

/** How most programs' instructions are shown: a type and named fields. */
export interface InstructionForm {
  readonly type: string;
  /** Fewest accounts the instruction must have. */
  readonly accountsMin: number;
  /** Its fields; null if it has only a type. */
  info(call: InstructionCall): JsonOutputObject | null;
}

/**
 * Shows an instruction in a `form`.
 *
 * @throws {Unparsable}
 */
export function showInstruction(form: InstructionForm | undefined, call: InstructionCall): JsonOutput {
  if (form === undefined) throw new Unparsable('unknown instruction');
  if (call.accounts.length < form.accountsMin) throw new Unparsable('too few accounts');
  const info = form.info(call);
  return { info: info && sortMembers(info), type: form.type };
}
