import { type Address, addressBytes, addressOf } from '../solana/address.ts';
import { viewOf } from '../solana/byte-reader.ts';
import type { Instruction } from '../solana/instruction.ts';
import { findPda, type Pda } from '../solana/pda.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from './addresses.ts';
import { concat, u64 as u64Bytes } from './instruction-data.ts';
import { optional, readonly, signer, writable, writableSigner } from './instruction-table/account-spec.ts';
import { encode } from './instruction-table/encode.ts';
import { addresses, u64, u8 } from './instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

const TABLE_TAG = 1;
/** Bytes of a table without addresses (`LOOKUP_TABLE_META_SIZE`). */
export const EMPTY_TABLE_BYTES = 56;
const NEVER = 0xffff_ffff_ffff_ffffn;

/** Maximum number of addresses in a table: an index is one byte (Agave `LOOKUP_TABLE_MAX_ADDRESSES`). */
export const LOOKUP_TABLE_ADDRESSES_MAX = 256;

/** A list of addresses that v0 transactions reference by a one-byte index. */
export interface LookupTableState {
  /** The slot of deactivation; null while the table is active. */
  readonly deactivationSlot: bigint | null;
  /** Slot in which the addresses from `lastExtendedFrom` on were added; usable from the next slot on. */
  readonly lastExtendedSlot: bigint;
  readonly lastExtendedFrom: number;
  /** The key that may add addresses; null if the table is frozen. */
  readonly authority: Address | null;
  readonly addresses: readonly Address[];
}

/**
 * Decodes a lookup table; null for other bytes. Layout: `LookupTableMeta` of
 * `solana-address-lookup-table-interface` (tag u32, deactivation slot u64, last extended slot u64, its first
 * index u8, authority Option<32>, padding up to 56), then the addresses.
 */
export function decodeLookupTable(data: Uint8Array): LookupTableState | null {
  const addressCount = (data.length - EMPTY_TABLE_BYTES) / 32;
  if (!Number.isInteger(addressCount) || addressCount < 0 || addressCount > LOOKUP_TABLE_ADDRESSES_MAX) {
    return null;
  }
  const view = viewOf(data);
  const authorityTag = view.getUint8(21);
  if (view.getUint32(0, true) !== TABLE_TAG || authorityTag > 1) return null;
  const deactivationSlot = view.getBigUint64(4, true);
  return {
    // u64::MAX marks an active table.
    deactivationSlot: deactivationSlot === NEVER ? null : deactivationSlot,
    lastExtendedSlot: view.getBigUint64(12, true),
    lastExtendedFrom: view.getUint8(20),
    authority: authorityTag === 1 ? addressOf(data.subarray(22, 54)) : null,
    addresses: Array.from({ length: addressCount }, (_, index) => {
      const at = EMPTY_TABLE_BYTES + index * 32;
      return addressOf(data.subarray(at, at + 32));
    }),
  };
}

export const LOOKUP_TABLES: ProgramSpec = {
  address: ADDRESS_LOOKUP_TABLE_PROGRAM,
  name: 'address lookup table program',
  tagBytes: 4,
};

const tableAndAuthority = [writable('lookupTable'), signer('authority')] as const;

/** Names of the accounts and fields in `jsonParsed`. */
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
  /** The payer is omitted if the table already has enough lamports. */
  extendLookupTable: {
    tag: 2,
    accounts: [...tableAndAuthority, optional(writableSigner('payer')), optional(readonly('systemProgram'))],
    fields: { addresses },
    shownAs,
  },
  deactivateLookupTable: { tag: 3, accounts: tableAndAuthority, shownAs },
  closeLookupTable: { tag: 4, accounts: [...tableAndAuthority, writable('destination')], shownAs },
});

/** Derives the address of an authority's table for a slot. Seeds authority, slot u64. */
const deriveLookupTable = (authority: Address, recentSlot: bigint): Pda =>
  findPda([authority, u64Bytes(recentSlot)], ADDRESS_LOOKUP_TABLE_PROGRAM);

interface NewLookupTable {
  readonly lookupTable: Address;
  readonly create: Instruction;
}

/** Creates an empty table. `recentSlot` must be in the `SlotHashes` sysvar. */
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

/** Adds addresses to a table, usable from the next slot on. The payer pays their rent. */
export const extendLookupTable = (
  accounts: { readonly lookupTable: Address; readonly authority: Address; readonly payer: Address },
  added: readonly Address[],
): Instruction =>
  encode(
    LOOKUP_TABLE_TABLE.extendLookupTable,
    { ...accounts, systemProgram: SYSTEM_PROGRAM },
    { addresses: concat(u64Bytes(BigInt(added.length)), ...added.map(addressBytes)) },
  );

/** Makes a table permanent: no one can change or close it anymore. */
export const freezeLookupTable = (accounts: {
  readonly lookupTable: Address;
  readonly authority: Address;
}): Instruction => encode(LOOKUP_TABLE_TABLE.freezeLookupTable, accounts);
