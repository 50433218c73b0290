import type { RollupContext } from './rollup-context.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AccountView } from '../ledger/state/accounts.ts';
import { type Codec, optional, struct, u64 } from './books/codec.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import { baseGenesisHashOf, itemEntry, type ItemType, readItem } from './books/item.ts';

/** A start of the rollup on its base ledger. No two starts of the same ledgers have the same slot. */
interface Start {
  /** Slot of base. */
  readonly slot: bigint;
  /** Unix ms, for error messages. */
  readonly unixMs: bigint;
}

/** The last start as stored on base. */
interface BaseStart {
  /** Genesis hash of the base ledger, base58. A ledger that was reset has no start yet. */
  readonly genesisHash: string;
  readonly start: Start;
}

/** The last start as stored on the rollup. */
interface RollupStart {
  readonly start: Start;
  /** The start that base may still have instead of `start`; null if it had none. */
  readonly before: Start | null;
}

/** The 32 bytes of a base58 hash. */
const hash: Codec<string> = { write: decodeBase58, read: (reader) => encodeBase58(reader.take(32)) };

const start = struct<Start>({ slot: u64, unixMs: u64 });

/** Stored on base, not on the rollup. */
const BASE_START: ItemType<BaseStart, 'genesisHash'> = {
  kind: 9,
  keyOf: ({ genesisHash }) => hash.write(genesisHash),
  fields: struct({ genesisHash: hash, start }),
};

const ROLLUP_START: ItemType<RollupStart, never> = {
  kind: 10,
  keyOf: () => new Uint8Array(0),
  fields: struct({ start, before: optional(start) }),
};

/** The last start stored on base; null if there is none. */
function baseStartOf(accounts: Pick<AccountView, 'get'>, genesisHash: string): Start | null {
  return readItem(BASE_START, accounts, { genesisHash })?.start ?? null;
}

/** The last start stored on the rollup; null if there is none. */
function rollupStartOf(accounts: Pick<AccountView, 'get'>): RollupStart | null {
  return readItem(ROLLUP_START, accounts, {});
}

function isSameStart(a: Start | null, b: Start | null): boolean {
  return a?.slot === b?.slot && a?.unixMs === b?.unixMs;
}

/** The stored accounts of two ledgers. */
interface StoredPair {
  readonly genesisHash: string;
  readonly base: Pick<AccountView, 'get'>;
  readonly rollup: Pick<AccountView, 'get'>;
}

/**
 * Returns why a stored rollup does not match the stored base ledger; null if it matches, or if the rollup
 * dates from before base was reset. Every start is stored on both ledgers. A ledger that was restored to an
 * earlier state, or belongs to another one, has a different start.
 */
export function pairingFault({ genesisHash, base, rollup }: StoredPair): string | null {
  const onBase = baseStartOf(base, genesisHash);
  if (baseGenesisHashOf(rollup) !== genesisHash) {
    return onBase === null ? null : 'The rollup belongs to another base ledger';
  }
  const kept = rollupStartOf(rollup);
  if (isSameStart(onBase, kept?.start ?? null) || isSameStart(onBase, kept?.before ?? null)) return null;
  return `The base ledger and the rollup are from different times: base was last started with its rollup ${describeStart(onBase)}, the rollup with its base ${describeStart(kept?.start ?? null)}`;
}

/** Ensures that a rollup and its base ledger stay together from start to start. */
export class Pairing {
  readonly #parts: RollupContext;

  constructor(parts: RollupContext) {
    this.#parts = parts;
  }

  /**
   * Changes nothing.
   *
   * @throws {ServiceError} LEDGER_DAMAGED if the two ledgers do not match.
   */
  assertTogether(): void {
    const { base, ledger } = this.#parts;
    const { genesisHash } = base;
    const fault = pairingFault({ genesisHash, base: base.state(), rollup: ledger.state() });
    if (fault === null) return;
    const remedy =
      'restore both from one backup, made while the program was stopped, or start with --reset to create new ones';
    throw new ServiceError('LEDGER_DAMAGED', `${fault}. Payments would be undone or made twice: ${remedy}`);
  }

  /**
   * Stores this start on both ledgers and resolves when it is durable. Crash case: until base has stored the
   * start, the rollup stores it together with the previous one, so that either of them matches.
   */
  async storeStart(): Promise<void> {
    const { base, ledger, clock } = this.#parts;
    const { genesisHash } = base;
    const before = baseStartOf(base.state(), genesisHash);
    const now = { slot: BigInt(base.head().slot), unixMs: BigInt(Math.trunc(clock.now())) };
    await ledger.setOwnAccounts([itemEntry(ROLLUP_START, { start: now, before })]);
    await base.setOwnAccounts([itemEntry(BASE_START, { genesisHash, start: now })]);
    await ledger.setOwnAccounts([itemEntry(ROLLUP_START, { start: now, before: now })]);
  }
}

function describeStart(last: Start | null): string {
  if (last === null) return 'never';
  // oxlint-disable-next-line no-restricted-globals -- writes a date, does not read the clock
  return `at ${new Date(Number(last.unixMs)).toISOString()} (slot ${last.slot} of base)`;
}
