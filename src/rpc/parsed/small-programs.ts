import type { JsonOutput } from '../../json/write-json.ts';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../../programs/addresses.ts';
import { ASSOCIATED_TOKEN_TABLE } from '../../programs/associated-token.ts';
import { addressesIn } from '../../programs/instruction-table/field-codec.ts';
import type { InstructionSpec } from '../../programs/instruction-table/instruction-spec.ts';
import { LOOKUP_TABLE_TABLE } from '../../programs/lookup-table.ts';
import { SYSTEM_TABLE } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import {
  type InstructionCall,
  type InstructionForm,
  showInstruction,
  tableForm,
} from './instruction-call.ts';

/** The addresses of the Memo program. The last one is its version 4 (`spl-memo-interface`). */
export const MEMO_PROGRAMS: readonly Address[] = [
  MEMO_PROGRAM_V1,
  MEMO_PROGRAM,
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH' as Address,
];

/**
 * A memo: the data is its text.
 *
 * @throws {Unparsable} if it is not UTF-8.
 */
export function parseMemo(call: InstructionCall): string {
  return call.text(call.remaining);
}

/**
 * Shows an instruction of the Associated Token Account program as Agave does (`parse_associated_token`). The
 * data is a one-byte tag, or empty for the first tag.
 *
 * @throws {Unparsable}
 */
export function parseAssociatedToken(call: InstructionCall): JsonOutput {
  const tag = call.remaining === 0 ? 0 : call.u8();
  if (call.remaining > 0) throw new Unparsable('bytes after the tag');
  return showInstruction(ASSOCIATED_TOKEN_FORMS[tag], call);
}

/** By tag (`AssociatedTokenAccountInstruction`). */
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
 * Shows an instruction of the Address Lookup Table program as Agave does (`parse_address_lookup_table`). The
 * data is bincode: a u32 tag, then the fields of `ProgramInstruction`.
 *
 * @throws {Unparsable}
 */
export function parseAddressLookupTable(call: InstructionCall): JsonOutput {
  return showInstruction(LOOKUP_TABLE_FORMS[call.u32()], call);
}

/** By tag. */
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
 * Shows an instruction of the System program as Agave does (`parse_system`). The data is bincode: a u32 tag,
 * then the fields of `SystemInstruction`.
 *
 * @throws {Unparsable}
 */
export function parseSystem(call: InstructionCall): JsonOutput {
  return showInstruction(SYSTEM_FORMS.get(call.u32()), call);
}

/** Has no paying account. */
const CREATE_ACCOUNT_ALLOW_PREFUND: InstructionForm = {
  type: 'createAccountAllowPrefund',
  accountsMin: 1,
  info: (call) => {
    const lamports = call.u64();
    const created = { newAccount: call.account(0), space: call.u64(), owner: call.address() };
    return lamports === 0n ? created : { ...created, source: call.account(1), lamports };
  },
};

/** By tag. */
const SYSTEM_FORMS: ReadonlyMap<number, InstructionForm> = new Map([
  ...Object.values<InstructionSpec>(SYSTEM_TABLE).map((spec) => [spec.tag, tableForm(spec)] as const),
  [13, CREATE_ACCOUNT_ALLOW_PREFUND],
]);
