import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { tryParse } from '../../solana/byte-reader.ts';
import { InstructionCall } from './instruction-call.ts';
import {
  MEMO_PROGRAMS,
  parseAddressLookupTable,
  parseAssociatedToken,
  parseMemo,
  parseSystem,
} from './small-programs.ts';
import { parseToken } from './token.ts';
import { parseUpgradeableLoader } from './upgradeable-loader.ts';

interface ProgramParser {
  /** Agave's name of the program. */
  readonly program: string;
  /** @throws {Unparsable} */
  parse(call: InstructionCall): JsonOutput;
}

const TOKEN_PARSER: ProgramParser = { program: 'spl-token', parse: parseToken };

const PARSERS: ReadonlyMap<Address, ProgramParser> = new Map([
  [SYSTEM_PROGRAM, { program: 'system', parse: parseSystem }],
  [TOKEN_PROGRAM, TOKEN_PARSER],
  [TOKEN_2022_PROGRAM, TOKEN_PARSER],
  [ASSOCIATED_TOKEN_PROGRAM, { program: 'spl-associated-token-account', parse: parseAssociatedToken }],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, { program: 'address-lookup-table', parse: parseAddressLookupTable }],
  [BPF_LOADER_UPGRADEABLE, { program: 'bpf-upgradeable-loader', parse: parseUpgradeableLoader }],
  ...MEMO_PROGRAMS.map((address) => [address, { program: 'spl-memo', parse: parseMemo }] as const),
]);

/** An instruction whose accounts are indices into the keys of its transaction. */
interface IndexedInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * An instruction in the `jsonParsed` form: its fields if the program is known here, otherwise its addresses
 * and its data in base58 (Agave `parse_ui_instruction`).
 *
 * @param keys all account keys of the transaction, including those of lookup tables.
 * @param stackHeight 1 for an instruction of the transaction itself.
 */
export function showParsedInstruction(
  instruction: IndexedInstruction,
  keys: readonly Address[],
  stackHeight: number,
): JsonOutputObject {
  const programId = keys[instruction.programIdIndex] as Address;
  const accounts = Array.from(instruction.accounts, (index) => keys[index] as Address);
  const parser = PARSERS.get(programId);
  const parsed = parser && tryParse(() => parser.parse(new InstructionCall(accounts, instruction.data)));
  if (parsed !== undefined) return { parsed, program: parser?.program, programId, stackHeight };
  return { accounts, data: encodeBase58(instruction.data), programId, stackHeight };
}
