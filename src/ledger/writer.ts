import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { EventFeed, LedgerEvent } from './ledger-events.ts';
import type { Commit, LedgerStore } from './store/store.ts';

/**
 * Number of slots by which the durable ceiling is ahead of the current slot. After an orderly stop the ledger
 * resumes right after its last slot. After a crash it resumes right after the ceiling, so no slot that a
 * client has seen is reused.
 */
export const LEASE_SLOTS = 64;

/** Slots left when the lease is renewed: over a second on a fast rollup, while a write takes milliseconds. */
const RENEW_SLOTS = LEASE_SLOTS / 2;

/** Interval between lease checks, in slots. */
export const LEASE_LOOK_SLOTS = LEASE_SLOTS / 4;

/**
 * Writes changes durably and in order, and publishes each after its write. After a failed write the accounts
 * in memory are ahead of the disk, so the ledger stops and rejects all reads and writes.
 */
export class Writer {
  readonly #store: LedgerStore;
  readonly #feed: EventFeed;
  readonly #logger: Logger;
  /** The durable slot ceiling, written or being written. Clients see no slot above the written one. */
  #ceiling: number;
  #state: 'running' | 'resetting' | 'closed' | 'failed' = 'running';

  /** @param slot the current slot. The store's lease covers this slot already. */
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

  /** Whether a write has failed. Memory is then ahead of the disk. */
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
      'The ledger has stopped, because it could not be written to disk; restart the program, whose log has the reason',
    );
  }

  /** Writes a commit and publishes `event` afterwards. Resolves once the commit is durable. */
  async write(commit: Omit<Commit, 'slotCeiling'>, event?: LedgerEvent): Promise<void> {
    // The event is announced before the write, because the feed publishes in this order, whichever write
    // finishes first.
    const publish = event === undefined ? undefined : this.#feed.announce(event);
    await this.#commit({ slotCeiling: this.#ceiling, ...commit });
    publish?.();
  }

  /** Renews the slot lease if it is low, or stores a new time anchor. Does not wait for the write. */
  cover(slot: number, timeAnchor: Commit['timeAnchor']): void {
    if (this.#state !== 'running') return;
    const isLow = this.#ceiling - slot < RENEW_SLOTS;
    if (isLow) this.#ceiling = slot + LEASE_SLOTS;
    if (!isLow && timeAnchor === undefined) return;
    // `#commit` stops the ledger after a failure.
    this.write(timeAnchor === undefined ? {} : { timeAnchor }).catch(() => undefined);
  }

  /** Stores a jump to `timeAnchor`. Resolves once it is durable. */
  async coverJump(timeAnchor: NonNullable<Commit['timeAnchor']>): Promise<void> {
    this.#ceiling = timeAnchor.slot + LEASE_SLOTS;
    await this.write({ timeAnchor });
  }

  /**
   * Replaces this ledger with a new one. Writes its first commit, and calls `enter` once the commit is
   * durable. Rejects other writes until `enter` has returned.
   *
   * @param slot the current slot of the new ledger.
   * @throws {ServiceError} LEDGER_STOPPED if writes are not accepted now.
   */
  async replace(commit: Commit, slot: number, enter: () => void): Promise<void> {
    this.assertRunning();
    this.#state = 'resetting';
    // Other writes are rejected meanwhile, because a later write of the old ledger would change the new one.
    await this.#commit(commit);
    this.#ceiling = slot + LEASE_SLOTS;
    enter();
    // The ledger may have been closed in the meantime.
    if (this.#state === 'resetting') this.#state = 'running';
  }

  /** Rejects further writes, stores the exact last slot, and closes the store. */
  async close(lastSlot: () => Promise<number>): Promise<void> {
    const isWritable = this.isRunning;
    if (!this.hasFailed) this.#state = 'closed';
    try {
      // The exact slot replaces the lease. The next start resumes right after it.
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
