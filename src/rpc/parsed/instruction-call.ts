import type { Address } from '../../solana/address.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import { sortMembers } from './sort-members.ts';

/** One instruction being read: its accounts by position, its data from front to back. */
export class InstructionCall extends ByteReader {
  readonly accounts: readonly Address[];
  /** All of it. */
  readonly data: Uint8Array;

  constructor(accounts: readonly Address[], data: Uint8Array) {
    super(data);
    this.accounts = accounts;
    this.data = data;
  }

  /** @throws {Unparsable} when there are not so many accounts. */
  account(position: number): Address {
    const address = this.accounts[position];
    if (address === undefined) throw new Unparsable('too few accounts');
    return address;
  }
}

/** What an instruction does, in words: the form most programs' instructions are shown in. */
export interface InstructionForm {
  readonly type: string;
  /** Fewest accounts the instruction must name. */
  readonly accountsMin: number;
  /** What it does; null where it says no more than its type. */
  info(call: InstructionCall): JsonOutputObject | null;
}

/**
 * An instruction in its `form`.
 *
 * @throws {Unparsable}
 */
export function showInstruction(form: InstructionForm | undefined, call: InstructionCall): JsonOutput {
  if (form === undefined) throw new Unparsable('unknown instruction');
  if (call.accounts.length < form.accountsMin) throw new Unparsable('too few accounts');
  const info = form.info(call);
  return { info: info && sortMembers(info), type: form.type };
}
