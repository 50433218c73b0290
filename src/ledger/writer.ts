import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { EventFeed } from './event-feed.ts';
import type { LedgerListener } from './ledger-events.ts';
import type { Commit, LedgerStore } from './store/store.ts';
import { SlotLease } from './time/slot-lease.ts';

type LedgerEvent = Parameters<LedgerListener>[0];

/**
 * Makes what happens durable, in the order in which it happens, and tells of it then. After a failure nothing can be
 * promised any more: the present shows what was lost, so the ledger neither takes anything nor tells of the present.
 */
export class Writer {
  readonly #store: LedgerStore;
  readonly #feed: EventFeed;
  readonly #logger: Logger;
  #lease: SlotLease;
  #state: 'running' | 'resetting' | 'closed' | 'failed' = 'running';

  /** @param slot the present one, up to whose lease the store has been written. */
  constructor(store: LedgerStore, feed: EventFeed, logger: Logger, slot: number) {
    this.#store = store;
    this.#feed = feed;
    this.#logger = logger;
    this.#lease = new SlotLease(slot);
  }

  /** Whether something can be written now. */
  get isRunning(): boolean {
    return this.#state === 'running' && this.#store.isWritable;
  }

  /** Whether something could not be written: what is in memory is not what will be found after a restart. */
  get hasFailed(): boolean {
    return this.#state === 'failed' || !this.#store.isWritable;
  }

  /** @throws {ServiceError} LEDGER_STOPPED when nothing can be written now. */
  assertRunning(): void {
    this.assertReadable();
    if (this.isRunning) return;
    throw new ServiceError(
      'LEDGER_STOPPED',
      this.#state === 'closed'
        ? 'The ledger is shutting down and takes no more transactions'
        : 'The ledger is being reset; try again',
    );
  }

  /** @throws {ServiceError} LEDGER_STOPPED once something could not be written. */
  assertReadable(): void {
    if (!this.hasFailed) return;
    throw new ServiceError(
      'LEDGER_STOPPED',
      'The ledger could not be written and has stopped until it is started again',
    );
  }

  /** Writes; `event` is told of afterwards. Resolves when it is durable. */
  async write(commit: Omit<Commit, 'slotCeiling'>, event?: LedgerEvent): Promise<void> {
    const tell = event === undefined ? undefined : this.#feed.announce(event);
    await this.#commit({ slotCeiling: this.#lease.ceiling, ...commit });
    tell?.();
  }

  /** Slots up to `slot` are to come, or slots are counted from somewhere else. Nobody waits for the write. */
  cover(slot: number, timeAnchor: Commit['timeAnchor']): void {
    if (this.#state !== 'running') return;
    if (!this.#lease.cover(slot) && timeAnchor === undefined) return;
    // Its failure stops the ledger.
    this.write(timeAnchor === undefined ? {} : { timeAnchor }).catch(() => undefined);
  }

  /** Slots are going to be counted from `timeAnchor`. Resolves when that is durable. */
  async coverJump(timeAnchor: NonNullable<Commit['timeAnchor']>): Promise<void> {
    this.#lease.cover(timeAnchor.slot);
    await this.write({ timeAnchor });
  }

  /**
   * Writes the first commit of a new ledger in place of this one, calls `enter` once it is durable, and writes nothing
   * else before `enter` has returned.
   *
   * @param slot the present one of the new ledger.
   * @throws {ServiceError} LEDGER_STOPPED when nothing can be written now.
   */
  async replace(commit: Commit, slot: number, enter: () => void): Promise<void> {
    this.assertRunning();
    this.#state = 'resetting';
    await this.#commit(commit);
    this.#lease = new SlotLease(slot);
    enter();
    // It can have been closed meanwhile.
    if (this.#state === 'resetting') this.#state = 'running';
  }

  /** Takes nothing more, writes the very slot the ledger stops at, and lets go of the store. */
  async close(lastSlot: () => Promise<number>): Promise<void> {
    const isWritable = this.isRunning;
    if (!this.hasFailed) this.#state = 'closed';
    try {
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
