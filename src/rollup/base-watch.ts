import { ServiceError } from '../errors/service-error.ts';
import type { AccountEntry } from '../ledger/genesis/genesis.ts';
import type { LedgerListener } from '../ledger/ledger-events.ts';
import type { AccountView } from '../ledger/state/accounts.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import { type Codec, optional, struct, u64 } from './books/codec.ts';
import { baseGenesisHashOf, itemEntry, type ItemType, readItem } from './books/item.ts';
import type { BaseFollower } from './projection/base-follower.ts';
import type { RollupContext } from './rollup-context.ts';
import type { Settlement } from './settlement/settlement.ts';
import { admitValidator } from './validator-accounts.ts';

interface BaseWatchParts extends RollupContext {
  /** Additional accounts that the validator needs on base. */
  readonly baseAccounts: readonly AccountEntry[];
  readonly follower: BaseFollower;
  readonly settlement: Pick<Settlement, 'reconsider'>;
}

/** Forwards events of base to the rollup. Resets the rollup if base was replaced by another ledger. */
export class BaseWatch {
  readonly #parts: BaseWatchParts;
  #startingOver: Promise<void> | null = null;
  #stopListening: () => void = () => {};

  constructor(parts: BaseWatchParts) {
    this.#parts = parts;
  }

  /**
   * Brings the rollup up to date with base, then follows base.
   *
   * @throws {ServiceError} LEDGER_DAMAGED if the rollup belongs to a different ledger or point in time.
   */
  async start(): Promise<void> {
    const { base, follower } = this.#parts;
    assertPaired(this.#parts);
    if (this.#isOfAnotherBase()) await this.#startOver();
    else await this.#admit();
    follower.catchUp();
    this.#stopListening = base.subscribe((event) => this.#follow(event));
    // This call must be last, because it changes the books, which triggers settlement.
    await storeStart(this.#parts);
  }

  /** Resolves when all events of base so far are durable in the rollup. */
  async followed(): Promise<void> {
    await this.#startingOver;
    await this.#parts.follower.written;
  }

  stop(): void {
    this.#stopListening();
  }

  #isOfAnotherBase(): boolean {
    const { base, ledger } = this.#parts;
    return baseGenesisHashOf(ledger.state()) !== base.genesisHash;
  }

  #follow(event: Parameters<LedgerListener>[0]): void {
    const { ledger, follower, settlement, logger } = this.#parts;
    if (ledger.hasFailed) return;
    if (!this.#isOfAnotherBase()) {
      follower.follow(event);
      settlement.reconsider(event);
      return;
    }
    this.#startingOver ??= this.#startOver()
      .then(() => storeStart(this.#parts))
      .catch((error: unknown) => logger.error({ err: error }, 'the rollup could not be reset'))
      .finally(() => {
        this.#startingOver = null;
      });
  }

  async #startOver(): Promise<void> {
    const { ledger, follower } = this.#parts;
    // Base may have been reset again in the meantime.
    while (this.#isOfAnotherBase()) {
      follower.dropAll();
      await ledger.resetLedger();
    }
    await this.#admit();
    follower.catchUpWithPublished();
  }

  /** Creates the validator's accounts, which a base ledger lacks after a reset. */
  async #admit(): Promise<void> {
    const { base, validator, baseAccounts } = this.#parts;
    await admitValidator(base, validator.address, baseAccounts);
  }
}

/** A start of the rollup on its base ledger. No two starts of the same ledgers have the same slot. */
interface Start {
  /** Slot of the base ledger. */
  readonly slot: bigint;
  /** Time of the start, Unix ms, for error messages. */
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
  /** The previous start, which base may still store instead of `start`; null if there was none. */
  readonly before: Start | null;
}

/** The 32 bytes of a base58 hash. */
const hash: Codec<string> = { write: decodeBase58, read: (reader) => encodeBase58(reader.take(32)) };

const start = struct<Start>({ slot: u64, unixMs: u64 });

/** Type of the start that is stored on base, not on the rollup. */
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

/** Returns the last start stored on base; null if there is none. */
function baseStartOf(accounts: Pick<AccountView, 'get'>, genesisHash: string): Start | null {
  return readItem(BASE_START, accounts, { genesisHash })?.start ?? null;
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
 * Describes the mismatch between a stored rollup and the stored base ledger. Returns null if they match, or
 * if the rollup predates a reset of base. Every start is stored on both ledgers. A ledger that was restored
 * to an earlier state, or belongs to a different ledger, has a different start.
 */
export function pairingFault({ genesisHash, base, rollup }: StoredPair): string | null {
  const onBase = baseStartOf(base, genesisHash);
  if (baseGenesisHashOf(rollup) !== genesisHash) {
    return onBase === null ? null : 'The rollup belongs to another base ledger';
  }
  const stored = readItem(ROLLUP_START, rollup, {});
  if (isSameStart(onBase, stored?.start ?? null) || isSameStart(onBase, stored?.before ?? null)) return null;
  return `The base ledger and the rollup are from different times: base was last started with its rollup ${describeStart(onBase)}, the rollup with its base ${describeStart(stored?.start ?? null)}`;
}

/**
 * Checks that the two ledgers match, without changing them.
 *
 * @throws {ServiceError} LEDGER_DAMAGED if the two ledgers do not match.
 */
function assertPaired({ base, ledger }: RollupContext): void {
  const { genesisHash } = base;
  const fault = pairingFault({ genesisHash, base: base.state(), rollup: ledger.state() });
  if (fault === null) return;
  const remedy =
    'restore both from one backup, made while the program was stopped, or start with --reset to create new ones';
  throw new ServiceError(
    'LEDGER_DAMAGED',
    `${fault}. Payments could be undone or made twice, so nothing was started: ${remedy}`,
  );
}

/**
 * Stores this start on both ledgers and resolves when it is durable. The rollup also keeps the previous start
 * until base has stored the new one, so the ledgers still match after a crash in between.
 */
async function storeStart({ base, ledger, clock }: RollupContext): Promise<void> {
  const { genesisHash } = base;
  const before = baseStartOf(base.state(), genesisHash);
  const now = { slot: BigInt(base.head().slot), unixMs: BigInt(Math.trunc(clock.now())) };
  await ledger.setOwnAccounts([itemEntry(ROLLUP_START, { start: now, before })]);
  await base.setOwnAccounts([itemEntry(BASE_START, { genesisHash, start: now })]);
  await ledger.setOwnAccounts([itemEntry(ROLLUP_START, { start: now, before: now })]);
}

function describeStart(last: Start | null): string {
  if (last === null) return 'never';
  // oxlint-disable-next-line no-restricted-globals -- formats a date and reads no clock
  return `at ${new Date(Number(last.unixMs)).toISOString()} (slot ${last.slot} of base)`;
}
