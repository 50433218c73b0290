import type { Journal } from './journal/journal.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import type { RecentCommits } from './recent-commits.ts';

/** When the database takes over what the journal has, and in which steps. */
export interface TakeOverLimits {
  /** As soon as this much memory is taken by commits it does not have. */
  readonly bytes: number;
  /** This long after a commit that changed something, ms. */
  readonly delayMs: number;
  /** Most commits in one step: the process does nothing else while it writes one. */
  readonly stepCommits: number;
  /** Bytes of the journal that make up a step. */
  readonly stepBytes: number;
  /** Nothing more is written to the journal while this much memory is taken. */
  readonly bytesMax: number;
}

/** Steps of 64 transactions were measured to hold the process up for 3 ms; 32 MiB are taken over in about 2 s. */
export const TAKE_OVER_LIMITS: TakeOverLimits = {
  bytes: 4 * 1024 * 1024,
  delayMs: 5_000,
  stepCommits: 64,
  stepBytes: 1024 * 1024,
  bytesMax: 32 * 1024 * 1024,
};

/** What is taken over, from where to where. */
interface TakeOverParts {
  readonly journal: Journal;
  readonly recent: RecentCommits;
  readonly database: LedgerDatabase;
  readonly limits: TakeOverLimits;
}

/**
 * Has the database take over the commits of the journal, a batch at a time, and removes the segments that had them. A
 * batch begins a new segment, so that there is one to remove when it is done. Of each segment the database is told that it
 * has begun: otherwise one that is lost would not be missed.
 */
export class TakeOver {
  readonly #parts: TakeOverParts;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** The first entry of the newest segment of which the database was told, and when it will have kept that. */
  #noted = 0;
  #noting: Promise<void> | undefined;
  #isStopped = false;

  /** @param onFailure is told once; nothing is taken over afterwards, and the journal keeps what it has. */
  constructor(parts: TakeOverParts, onFailure: (error: unknown) => void) {
    this.#parts = parts;
    this.#onFailure = onFailure;
  }

  /** To be called after commits were added; `isChange` when one of them did more than move the slot ceiling. */
  consider(isChange: boolean): void {
    const { recent, limits } = this.#parts;
    this.#noteSegment();
    if (recent.bytes >= limits.bytes) this.#start();
    else if (isChange) this.#timer ??= setTimeout(() => this.#start(), limits.delayMs).unref();
  }

  /** Resolves when there is room for more commits. */
  async makeRoom(): Promise<void> {
    const { recent, limits } = this.#parts;
    while (recent.bytes >= limits.bytesMax && !this.#isStopped) await this.#start();
  }

  /** Does something with the database that a step must not meet; `use` is not begun in the middle of one. */
  async between(use: () => Promise<void>): Promise<void> {
    while (this.#running !== undefined || this.#noting !== undefined) {
      await this.#noting;
      await this.#running;
    }
    this.#running = use().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    // One that was to start meanwhile has not.
    this.consider(this.#parts.recent.count > 0);
  }

  /** Takes over everything, unless that failed before. Nothing may be added meanwhile. */
  async finish(): Promise<void> {
    await this.#noting;
    await this.#running;
    await this.#start();
  }

  /** Takes over nothing more; resolves when a step under way is done. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isStopped = true;
    await this.#noting;
    await this.#running;
  }

  #noteSegment(): void {
    const { journal, database } = this.#parts;
    const sequence = journal.segmentBegan;
    if (sequence === null || sequence <= this.#noted || this.#isStopped) return;
    this.#noted = sequence;
    // What is done between two steps has the database to itself.
    const noting = Promise.resolve(this.#running)
      .then(() => database.noteAcknowledged(sequence))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        if (this.#noting === noting) this.#noting = undefined;
      });
    this.#noting = noting;
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isStopped) return Promise.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { journal, recent, database, limits } = this.#parts;
    const last = recent.newest;
    journal.seal();
    try {
      for (;;) {
        if (this.#isStopped) return;
        const step = recent.oldest(last, { count: limits.stepCommits, bytes: limits.stepBytes });
        if (step.length === 0) break;
        await database.take(step);
        recent.drop(database.taken);
      }
      journal.discard(database.taken);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#onFailure(error);
  }
}
