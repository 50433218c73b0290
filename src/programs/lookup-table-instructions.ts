import { addressBytes, type Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { findPda, type Pda } from '../solana/pda.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from './addresses.ts';
import { concat, u64 as u64Bytes } from './instruction-data.ts';
import { encode } from './instruction-table/encode.ts';
import { optional, readonly, signer, writable, writableSigner } from './instruction-table/account-spec.ts';
import { addresses, u64, u8 } from './instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

export const LOOKUP_TABLES: ProgramSpec = {
  address: ADDRESS_LOOKUP_TABLE_PROGRAM,
  name: 'address lookup table program',
  tagBytes: 4,
};

const tableAndAuthority = [writable('lookupTable'), signer('authority')] as const;

/** Names in `jsonParsed`. */
const shownAs = {
  lookupTable: 'lookupTableAccount',
  authority: 'lookupTableAuthority',
  payer: 'payerAccount',
  bump: 'bumpSeed',
  addresses: 'newAddresses',
  destination: 'recipient',
} as const;

/** `ProgramInstruction` of `solana-address-lookup-table-interface` in bincode. */
export const LOOKUP_TABLE_TABLE = instructionTable(LOOKUP_TABLES, {
  createLookupTable: {
    tag: 0,
    accounts: [
      writable('lookupTable'),
      readonly('authority'),
      writableSigner('payer'),
      readonly('systemProgram'),
    ],
    fields: { recentSlot: u64, bump: u8 },
    shownAs,
  },
  freezeLookupTable: { tag: 1, accounts: tableAndAuthority, shownAs },
  /** A table that already has the lamports is extended without a payer. */
  extendLookupTable: {
    tag: 2,
    accounts: [...tableAndAuthority, optional(writableSigner('payer')), optional(readonly('systemProgram'))],
    fields: { addresses },
    shownAs,
  },
  deactivateLookupTable: { tag: 3, accounts: tableAndAuthority, shownAs },
  closeLookupTable: { tag: 4, accounts: [...tableAndAuthority, writable('destination')], shownAs },
});

/** The address of a table: an authority has one for each slot. Seeds authority, slot u64. */
const deriveLookupTable = (authority: Address, recentSlot: bigint): Pda =>
  findPda([authority, u64Bytes(recentSlot)], ADDRESS_LOOKUP_TABLE_PROGRAM);

/** A table that is to be made, and the instruction that makes it. */
interface NewLookupTable {
  readonly lookupTable: Address;
  readonly create: Instruction;
}

/** Creates an empty table. `recentSlot` has to be one of those in the `SlotHashes` sysvar. */
export function createLookupTable(
  { authority, payer }: { readonly authority: Address; readonly payer: Address },
  recentSlot: bigint,
): NewLookupTable {
  const { address: lookupTable, bump } = deriveLookupTable(authority, recentSlot);
  const create = encode(
    LOOKUP_TABLE_TABLE.createLookupTable,
    { lookupTable, authority, payer },
    { recentSlot, bump },
  );
  return { lookupTable, create };
}

/** Adds addresses to a table, which can be named from the next slot on. The payer pays for their rent. */
export const extendLookupTable = (
  accounts: { readonly lookupTable: Address; readonly authority: Address; readonly payer: Address },
  added: readonly Address[],
): Instruction =>
  encode(
    LOOKUP_TABLE_TABLE.extendLookupTable,
    { ...accounts, systemProgram: SYSTEM_PROGRAM },
    { addresses: concat(u64Bytes(BigInt(added.length)), ...added.map(addressBytes)) },
  );

/** Makes a table one that nobody can change or close any more. */
export const freezeLookupTable = (accounts: {
  readonly lookupTable: Address;
  readonly authority: Address;
}): Instruction => encode(LOOKUP_TABLE_TABLE.freezeLookupTable, accounts);
