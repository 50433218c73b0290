import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { EventFeed, LedgerEvent } from './ledger-events.ts';
import type { Commit, LedgerStore } from './store/store.ts';

/**
 * Slots the durable ceiling is ahead of the current slot. After an orderly stop the ledger resumes right
 * after its last slot. After a crash it resumes right after the ceiling, so no slot that a client has seen is
 * reused.
 */
export const LEASE_SLOTS = 64;

/** The lease is renewed at half: over a second on a fast rollup, where a write takes milliseconds. */
const RENEW_SLOTS = LEASE_SLOTS / 2;

/** How often the lease is checked, slots, so that it never runs out unnoticed. */
export const LEASE_LOOK_SLOTS = LEASE_SLOTS / 4;

/**
 * Writes changes durably, in the order they happen, and publishes each after its write. After a failed write
 * the accounts in memory are ahead of the disk, so the ledger stops: it accepts nothing and shows nothing.
 */
export class Writer {
  readonly #store: LedgerStore;
  readonly #feed: EventFeed;
  readonly #logger: Logger;
  /** The durable slot ceiling, written or being written. Clients see no slot above the written one. */
  #ceiling: number;
  #state: 'running' | 'resetting' | 'closed' | 'failed' = 'running';

  /** @param slot the current slot. The store's lease covers it already. */
  constructor(store: LedgerStore, feed: EventFeed, logger: Logger, slot: number) {
    this.#store = store;
    this.#feed = feed;
    this.#logger = logger;
    this.#ceiling = slot + LEASE_SLOTS;
  }

  /** Whether a write would be accepted now. */
  get isRunning(): boolean {
    return this.#state === 'running' && this.#store.isWritable;
  }

  /** Whether a write has failed: memory then differs from what a restart will find. */
  get hasFailed(): boolean {
    return this.#state === 'failed' || !this.#store.isWritable;
  }

  /** @throws {ServiceError} LEDGER_STOPPED if writes are not accepted now. */
  assertRunning(): void {
    this.assertReadable();
    if (this.isRunning) return;
    throw new ServiceError(
      'LEDGER_STOPPED',
      this.#state === 'closed'
        ? 'The ledger is shutting down and accepts no more transactions'
        : 'The ledger is being reset; try again',
    );
  }

  /** @throws {ServiceError} LEDGER_STOPPED after a failed write. */
  assertReadable(): void {
    if (!this.hasFailed) return;
    throw new ServiceError(
      'LEDGER_STOPPED',
      'The ledger has stopped, because it could not be written; restart it',
    );
  }

  /** Writes a commit and publishes `event` afterwards. Resolves once it is durable. */
  async write(commit: Omit<Commit, 'slotCeiling'>, event?: LedgerEvent): Promise<void> {
    // Announced before the write: the feed publishes in this order, whichever write is durable first.
    const publish = event === undefined ? undefined : this.#feed.announce(event);
    await this.#commit({ slotCeiling: this.#ceiling, ...commit });
    publish?.();
  }

  /** Extends the durable slot lease to `slot`, or stores a new time anchor. Nobody waits for the write. */
  cover(slot: number, timeAnchor: Commit['timeAnchor']): void {
    if (this.#state !== 'running') return;
    const isLow = this.#ceiling - slot < RENEW_SLOTS;
    if (isLow) this.#ceiling = slot + LEASE_SLOTS;
    if (!isLow && timeAnchor === undefined) return;
    // A failure stops the ledger by itself (`#commit`).
    this.write(timeAnchor === undefined ? {} : { timeAnchor }).catch(() => undefined);
  }

  /** Stores a jump to `timeAnchor`. Resolves once it is durable. */
  async coverJump(timeAnchor: NonNullable<Commit['timeAnchor']>): Promise<void> {
    this.#ceiling = timeAnchor.slot + LEASE_SLOTS;
    await this.write({ timeAnchor });
  }

  /**
   * Replaces this ledger with a new one: writes its first commit, calls `enter` once that is durable, and
   * accepts no other write until `enter` has returned.
   *
   * @param slot the current slot of the new ledger.
   * @throws {ServiceError} LEDGER_STOPPED if writes are not accepted now.
   */
  async replace(commit: Commit, slot: number, enter: () => void): Promise<void> {
    this.assertRunning();
    this.#state = 'resetting';
    // No other write is accepted meanwhile: one of the old ledger behind this commit would become part of the
    // new one.
    await this.#commit(commit);
    this.#ceiling = slot + LEASE_SLOTS;
    enter();
    // The ledger may have been closed in the meantime.
    if (this.#state === 'resetting') this.#state = 'running';
  }

  /** Accepts no more writes, stores the exact slot the ledger stops at, and closes the store. */
  async close(lastSlot: () => Promise<number>): Promise<void> {
    const isWritable = this.isRunning;
    if (!this.hasFailed) this.#state = 'closed';
    try {
      // The exact slot replaces the lease, so that the next start resumes right after it.
      if (isWritable) await this.#commit({ slotCeiling: await lastSlot() });
    } finally {
      await this.#store.close();
    }
  }

  async #commit(commit: Commit): Promise<void> {
    try {
      await this.#store.commit(commit);
    } catch (error) {
      this.#state = 'failed';
      this.#logger.error({ err: error }, 'the ledger cannot be written and has stopped');
      throw error;
    }
  }
}
