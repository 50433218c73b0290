import type { Journal } from './journal/journal.ts';
import type { LedgerDatabase } from './ledger-database.ts';
import type { NumberedCommit, RecentCommits } from './recent-commits.ts';

/** When the database takes over journal entries, and in steps of which size. */
export interface TakeOverLimits {
  /** Starts once the missing commits take this much memory, bytes. */
  readonly bytes: number;
  /** Starts this long after a commit with changes, ms. */
  readonly delayMs: number;
  /** Most commits in one step, which blocks the event loop; half as many where history is full. */
  readonly stepCommits: number;
  /** Bytes of journal per step. */
  readonly stepBytes: number;
  /** Commits wait while the missing ones take this much memory, bytes. */
  readonly bytesMax: number;
}

/** Measured: a step of 64 transactions blocks for 3 ms; 32 MiB take about 2 s. */
export const TAKE_OVER_LIMITS: TakeOverLimits = {
  bytes: 4 * 1024 * 1024,
  delayMs: 5_000,
  stepCommits: 64,
  stepBytes: 1024 * 1024,
  bytesMax: 32 * 1024 * 1024,
};

/** The source and the target of the take-over. */
interface TakeOverParts {
  readonly journal: Journal;
  readonly recent: RecentCommits;
  readonly database: LedgerDatabase;
  readonly limits: TakeOverLimits;
  /** Called with commits once reads find them in the database. */
  readonly onTaken: (commits: readonly NumberedCommit[]) => void;
}

/**
 * Moves commits from the journal into the database in batches, and removes their segments. Each batch seals
 * the open segment, so that there is one to remove afterwards. The database records the start of every
 * segment: otherwise a lost segment would go unnoticed.
 */
export class TakeOver {
  readonly #parts: TakeOverParts;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** The first entry of the newest segment the database knows of, and when it will have stored that. */
  #noted = 0;
  #noting: Promise<void> | undefined;
  #isStopped = false;

  /** @param onFailure called once. The take-over then stops, and the journal keeps its entries. */
  constructor(parts: TakeOverParts, onFailure: (error: unknown) => void) {
    this.#parts = parts;
    this.#onFailure = onFailure;
  }

  /**
   * Call it after adding commits.
   *
   * @param isChange whether one of them did more than raise the slot ceiling.
   */
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

  /** Runs `use` between two steps, never during one. */
  async between(use: () => Promise<void>): Promise<void> {
    while (this.#running !== undefined || this.#noting !== undefined) {
      await this.#noting;
      await this.#running;
    }
    this.#running = use().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    // A start that came due meanwhile was skipped.
    this.consider(this.#parts.recent.count > 0);
  }

  /** Takes over everything, unless an earlier step failed. No commits may be added meanwhile. */
  async finish(): Promise<void> {
    await this.#noting;
    await this.#running;
    await this.#start();
  }

  /** Stops; resolves when the current step is done. */
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
    // `between` needs the database to itself.
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
    const { journal, recent, database, limits, onTaken } = this.#parts;
    const last = recent.newest;
    // New commits go into a new segment, so that the present ones can be removed at the end.
    journal.seal();
    try {
      for (;;) {
        if (this.#isStopped) return;
        const step = recent.oldest(last, { count: this.#stepCommits, bytes: limits.stepBytes });
        if (step.length === 0) break;
        await database.take(step);
        // Dropped only once the database has them: reads find each commit in one of the two.
        recent.drop(database.taken);
        onTaken(step);
      }
      // Last. Crash case: until then recovery finds entries that the database has, and skips them.
      journal.discard(database.taken);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Forgetting a transaction takes about as long as writing one. */
  get #stepCommits(): number {
    const { database, limits } = this.#parts;
    return database.isHistoryFull ? Math.ceil(limits.stepCommits / 2) : limits.stepCommits;
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#onFailure(error);
  }
}
