import { ServiceError } from '../../errors/service-error.ts';

/** Runs pieces of work one at a time, in order of arrival. */
export class WorkQueue {
  readonly #waitingMax: number;
  /** Pieces waiting or running. */
  #count = 0;
  /** Settles when the last piece is done, successfully or not. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param waitingMax how many pieces may wait while one runs. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /**
   * Runs `work` after everything queued before it and returns its result.
   *
   * @throws {ServiceError} SERVICE_BUSY if too many already wait; `work` is then not run.
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
    `${waitingMax} dry runs are waiting already, which is the limit; try again in a second`,
  );
}
