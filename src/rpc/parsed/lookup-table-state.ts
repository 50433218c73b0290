import type { JsonOutput } from '../../json/json-value.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/** Bytes before the addresses (`LOOKUP_TABLE_META_SIZE`). */
const META_BYTES = 56;

/** Variants of `ProgramState` in `solana-address-lookup-table-interface`. */
const UNINITIALIZED = 0;
const LOOKUP_TABLE = 1;

/**
 * Shows an account of the Address Lookup Table program as Agave does (`parse_address_lookup_table`):
 * `LookupTableMeta` in bincode, padding, addresses.
 *
 * @throws {Unparsable}
 */
export function parseLookupTableState({ data }: AccountBytes): JsonOutput {
  const meta = new ByteReader(data);
  const variant = meta.u32();
  if (variant === UNINITIALIZED) return { type: 'uninitialized' };
  if (variant !== LOOKUP_TABLE) throw new Unparsable('unknown state');
  const deactivationSlot = meta.u64().toString();
  const lastExtendedSlot = meta.u64().toString();
  const lastExtendedSlotStartIndex = meta.u8();
  const authority = meta.option(() => meta.address()) ?? undefined;
  if (data.length < META_BYTES || (data.length - META_BYTES) % 32 !== 0)
    throw new Unparsable('half an address');
  const list = new ByteReader(data.subarray(META_BYTES));
  const addresses = Array.from({ length: list.remaining / 32 }, () => list.address());
  return {
    info: { addresses, authority, deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex },
    type: 'lookupTable',
  };
}
