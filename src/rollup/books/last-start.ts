import type { AccountView } from '../../ledger/state/account-state.ts';
import { concat, option, u64 } from '../../programs/instruction-data.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import type { ByteReader } from '../../solana/byte-reader.ts';
import { type ItemType, readItem } from './item.ts';

/** When a rollup began to follow its base ledger: no two of the same ledgers have the same slot. */
export interface Start {
  /** Of base. */
  readonly slot: bigint;
  /** Unix ms, for whoever reads of it. */
  readonly unixMs: bigint;
}

/** The last start, as base has it. */
interface BaseStart {
  /** Of the base ledger, base58: one that was reset has had none. */
  readonly genesisHash: string;
  readonly start: Start;
}

/** The last start, as the rollup has it. */
interface RollupStart {
  readonly start: Start;
  /** What base has until it has `start`; null where it had none. */
  readonly before: Start | null;
}

/** An account of base, not of the rollup. Fields: genesis hash 32, slot u64, Unix ms u64. */
export const BASE_START: ItemType<BaseStart> = {
  kind: 9,
  keyOf: ({ genesisHash }) => decodeBase58(genesisHash),
  sequenceOf: () => 0n,
  encode: ({ genesisHash, start }) => concat(decodeBase58(genesisHash), startField(start)),
  decode: (reader) => ({ genesisHash: encodeBase58(reader.take(32)), start: readStart(reader) }),
};

/** Fields: slot u64, Unix ms u64, then those of the start before as option. */
export const ROLLUP_START: ItemType<RollupStart> = {
  kind: 10,
  keyOf: () => NO_KEY,
  sequenceOf: () => 0n,
  encode: ({ start, before }) => concat(startField(start), option(before && startField(before))),
  decode: (reader) => ({ start: readStart(reader), before: reader.option(() => readStart(reader)) }),
};

/** There is one. */
const NO_KEY = new Uint8Array(0);

/** The last start that base has; null where it has none. */
export function baseStartOf(accounts: Pick<AccountView, 'get'>, genesisHash: string): Start | null {
  return readItem(BASE_START, accounts, decodeBase58(genesisHash))?.start ?? null;
}

/** The last start that the rollup has; null where it has none. */
export function rollupStartOf(accounts: Pick<AccountView, 'get'>): RollupStart | null {
  return readItem(ROLLUP_START, accounts, NO_KEY);
}

/** Whether both are the same start, or both none. */
export function isSameStart(a: Start | null, b: Start | null): boolean {
  return a?.slot === b?.slot && a?.unixMs === b?.unixMs;
}

function startField({ slot, unixMs }: Start): Uint8Array {
  return concat(u64(slot), u64(unixMs));
}

function readStart(reader: ByteReader): Start {
  return { slot: reader.u64(), unixMs: reader.u64() };
}
