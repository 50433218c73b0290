import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  MEMO_PROGRAM,
  MEMO_PROGRAM_V1,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { ASSOCIATED_TOKEN_TABLE } from '../../programs/associated-token.ts';
import { addressesIn } from '../../programs/instruction-table/field-codec.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { LOOKUP_TABLE_TABLE } from '../../programs/lookup-table.ts';
import { SYSTEM_TABLE } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { tryParse, Unparsable } from '../../solana/byte-reader.ts';
import { InstructionCall, type InstructionForm, showInstruction, tableForm } from './instruction-call.ts';
import { parseToken } from './token.ts';

/** The addresses of the Memo program. The last address is version 4 (`spl-memo-interface`). */
export const MEMO_PROGRAMS: readonly Address[] = [
  MEMO_PROGRAM_V1,
  MEMO_PROGRAM,
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH' as Address,
];

/**
 * Reads a memo, whose data is its text.
 *
 * @throws {Unparsable} if the data is not UTF-8.
 */
function parseMemo(call: InstructionCall): string {
  return call.text(call.remaining);
}

/**
 * Shows an instruction of the Associated Token Account program like Agave (`parse_associated_token`). The
 * data is a one-byte tag, or empty for the first tag.
 *
 * @throws {Unparsable}
 */
function parseAssociatedToken(call: InstructionCall): JsonOutput {
  const tag = call.remaining === 0 ? 0 : call.u8();
  if (call.remaining > 0) throw new Unparsable('bytes after the tag');
  return showInstruction(ASSOCIATED_TOKEN_FORMS[tag], call);
}

/** Instruction forms by tag (`AssociatedTokenAccountInstruction`). */
const ASSOCIATED_TOKEN_FORMS: readonly InstructionForm[] = [
  tableForm(ASSOCIATED_TOKEN_TABLE.create),
  tableForm(ASSOCIATED_TOKEN_TABLE.createIdempotent),
  {
    type: 'recoverNested',
    accountsMin: 7,
    info: (call) => ({
      nestedSource: call.account(0),
      nestedMint: call.account(1),
      destination: call.account(2),
      nestedOwner: call.account(3),
      ownerMint: call.account(4),
      wallet: call.account(5),
      tokenProgram: call.account(6),
    }),
  },
];

/**
 * Shows an instruction of the Address Lookup Table program like Agave (`parse_address_lookup_table`). The
 * data is bincode: a u32 tag, then the fields of `ProgramInstruction`.
 *
 * @throws {Unparsable}
 */
function parseAddressLookupTable(call: InstructionCall): JsonOutput {
  return showInstruction(LOOKUP_TABLE_FORMS[call.u32()], call);
}

/** Instruction forms by tag. */
const LOOKUP_TABLE_FORMS: readonly InstructionForm[] = [
  tableForm(LOOKUP_TABLE_TABLE.createLookupTable),
  tableForm(LOOKUP_TABLE_TABLE.freezeLookupTable),
  tableForm(LOOKUP_TABLE_TABLE.extendLookupTable, ({ newAddresses }) => ({
    newAddresses: addressesIn(newAddresses as Uint8Array),
  })),
  tableForm(LOOKUP_TABLE_TABLE.deactivateLookupTable),
  tableForm(LOOKUP_TABLE_TABLE.closeLookupTable),
];

/**
 * Shows an instruction of the System program like Agave (`parse_system`). The data is bincode: a u32 tag,
 * then the fields of `SystemInstruction`.
 *
 * @throws {Unparsable}
 */
function parseSystem(call: InstructionCall): JsonOutput {
  return showInstruction(SYSTEM_FORMS.get(call.u32()), call);
}

/** The instruction has a paying account only if it transfers lamports. */
const CREATE_ACCOUNT_ALLOW_PREFUND: InstructionForm = {
  type: 'createAccountAllowPrefund',
  accountsMin: 1,
  info: (call) => {
    const lamports = call.u64();
    const created = { newAccount: call.account(0), space: call.u64(), owner: call.address() };
    return lamports === 0n ? created : { ...created, source: call.account(1), lamports };
  },
};

/** Instruction forms by tag. */
const SYSTEM_FORMS: ReadonlyMap<number, InstructionForm> = new Map([
  ...Object.values<InstructionSpec>(SYSTEM_TABLE).map((spec) => [spec.tag, tableForm(spec)] as const),
  [13, CREATE_ACCOUNT_ALLOW_PREFUND],
]);

/**
 * Shows an instruction of the upgradeable loader like Agave (`parse_bpf_upgradeable_loader`):
 * `UpgradeableLoaderInstruction` in bincode.
 *
 * @throws {Unparsable}
 */
function parseUpgradeableLoader(call: InstructionCall): JsonOutput {
  return showInstruction(FORMS[call.u32()], call);
}

/** Instruction forms by tag (`solana-loader-v3-interface`), read in declaration order. */
const FORMS: readonly InstructionForm[] = [
  {
    type: 'initializeBuffer',
    accountsMin: 1,
    info: (call) => ({ account: call.account(0), authority: call.accounts[1] }),
  },
  {
    type: 'write',
    accountsMin: 2,
    info: (call) => ({
      account: call.account(0),
      authority: call.account(1),
      offset: call.u32(),
      bytes: call.base64(call.count64(1)),
    }),
  },
  {
    type: 'deployWithMaxDataLen',
    accountsMin: 8,
    info: (call) => ({
      payerAccount: call.account(0),
      programDataAccount: call.account(1),
      programAccount: call.account(2),
      bufferAccount: call.account(3),
      rentSysvar: call.account(4),
      clockSysvar: call.account(5),
      systemProgram: call.account(6),
      authority: call.account(7),
      maxDataLen: call.u64(),
    }),
  },
  {
    type: 'upgrade',
    accountsMin: 7,
    info: (call) => ({
      programDataAccount: call.account(0),
      programAccount: call.account(1),
      bufferAccount: call.account(2),
      spillAccount: call.account(3),
      rentSysvar: call.account(4),
      clockSysvar: call.account(5),
      authority: call.account(6),
    }),
  },
  {
    type: 'setAuthority',
    accountsMin: 2,
    info: (call) => ({
      account: call.account(0),
      authority: call.account(1),
      newAuthority: call.accounts[2] ?? null,
    }),
  },
  {
    type: 'close',
    accountsMin: 3,
    info: (call) => ({
      account: call.account(0),
      recipient: call.account(1),
      authority: call.account(2),
      programAccount: call.accounts[3] ?? null,
    }),
  },
  {
    type: 'extendProgram',
    accountsMin: 2,
    info: (call) => ({
      programDataAccount: call.account(0),
      programAccount: call.account(1),
      systemProgram: call.accounts[2] ?? null,
      payerAccount: call.accounts[3] ?? null,
      additionalBytes: call.u32(),
    }),
  },
  {
    type: 'setAuthorityChecked',
    accountsMin: 3,
    info: (call) => ({
      account: call.account(0),
      authority: call.account(1),
      newAuthority: call.account(2),
    }),
  },
];

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
 * Shows an instruction for `jsonParsed`: its fields if it can be parsed, otherwise its addresses and its data
 * in base58 (Agave `parse_ui_instruction`).
 *
 * @param keys all account keys of the transaction, including those of lookup tables.
 * @param stackHeight 1 for a top-level instruction.
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
