import { ServiceError } from '../../errors/service-error.ts';

/** Does work one piece after another, in the order in which it comes. */
export class WorkQueue {
  readonly #waitingMax: number;
  /** Pieces that wait or are being done. */
  #count = 0;
  /** Fulfils when the piece that came last is done, however it went. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param waitingMax most pieces that wait while one is being done. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /**
   * Does `work` once everything that came before is done, and answers what comes of it.
   *
   * @throws {ServiceError} SERVICE_BUSY when too many wait already; `work` is not done then.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count > this.#waitingMax) throw busy(this.#waitingMax);
    this.#count++;
    const result = this.#last.then(work).finally(() => {
      this.#count--;
    });
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

function busy(waitingMax: number): ServiceError {
  return new ServiceError(
    'SERVICE_BUSY',
    `${waitingMax} others wait to have accounts tried, which is the limit; try again in a second`,
  );
}
