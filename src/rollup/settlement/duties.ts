import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';

/** Something the rollup has to do, a step at a time. */
export interface Duty {
  /**
   * Does the next step; false when there is none at present.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  step(): Promise<boolean>;
  /** What failed and will be tried again. */
  readonly stalledCount: number;
  /** Lets go of its timers. */
  close(): void;
}

/**
 * Does duties in turn, one step at a time, as long as one of them has anything to do: what is submitted to
 * base for one is taken in before the next is planned, so that both ledgers are always looked at between two
 * steps and never in the middle of one.
 */
export class Duties {
  readonly #duties: readonly Duty[];
  readonly #logger: Logger;
  #isBusy = false;
  /** Whether there may be something to do that no duty has looked for yet. */
  #isWanted = false;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(duties: readonly Duty[], logger: Logger) {
    this.#duties = duties;
    this.#logger = logger;
  }

  /** What failed and will be tried again, of all duties. */
  get stalledCount(): number {
    return this.#duties.reduce((sum, duty) => sum + duty.stalledCount, 0);
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Starts what there is to do, in the background. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isBusy || this.#isClosing) return;
    this.#isBusy = true;
    this.#work = this.#workOff();
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    while (this.#isBusy) await this.#work;
  }

  /** Finishes the step under way, then stops. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const duty of this.#duties) duty.close();
    await this.idle();
  }

  async #workOff(): Promise<void> {
    try {
      while (this.#isWanted && !this.#isClosing) {
        this.#isWanted = false;
        for (const duty of this.#duties) {
          if (!this.#isClosing && (await duty.step())) this.#isWanted = true;
        }
      }
    } catch (error) {
      // The ledger has logged why it stopped.
      if (isServiceError(error, 'LEDGER_STOPPED')) return;
      this.#logger.error({ err: error }, 'settlement stopped until something happens on either ledger');
    } finally {
      // In the same turn as the last look whether something is wanted: a wake from now on starts new work.
      this.#isBusy = false;
    }
  }
}
