import { ServiceError } from '../errors/service-error.ts';

/** Bounds on running operations. */
export interface OperationLimits {
  /** How many may run at once. */
  readonly inFlightMax: number;
  /** How long one may take, ms. */
  readonly runTimeoutMs: number;
}

/**
 * By default as many operations at once as a slow upstream can hold up without the process noticing, and
 * twice the time that a patient client waits.
 */
export const OPERATION_LIMITS: OperationLimits = { inFlightMax: 256, runTimeoutMs: 30_000 };

/** One operation that runs. */
interface Run {
  /** Time of the event loop at which it is given up, ms. */
  readonly expiresAt: number;
  readonly giveUp: (error: ServiceError) => void;
}

/**
 * Limits how many operations run at once, and for how long, over all transports. What waits for a hanging
 * upstream is given up after its time and makes room; its late outcome is dropped.
 *
 * This is on the path of every call, so it has one timer for all runs, which is armed anew only when it has
 * fired.
 */
export class OperationGate {
  readonly #limits: OperationLimits;
  /** In the order in which they were started, which is that in which they expire. */
  readonly #runs = new Set<Run>();
  #isWatching = false;

  constructor(limits: Partial<OperationLimits> = {}) {
    this.#limits = { ...OPERATION_LIMITS, ...limits };
  }

  /**
   * Starts `work` and settles as it does.
   *
   * @throws {ServiceError} SERVICE_BUSY when too many run, before `work` is started; OPERATION_TIMEOUT.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { inFlightMax, runTimeoutMs } = this.#limits;
    if (this.#runs.size >= inFlightMax) return Promise.reject(busy(inFlightMax));
    return new Promise<T>((resolve, giveUp) => {
      const pending = work();
      const run: Run = { expiresAt: performance.now() + runTimeoutMs, giveUp };
      this.#runs.add(run);
      this.#watch(runTimeoutMs);
      pending.then(
        (result) => {
          this.#runs.delete(run);
          resolve(result);
        },
        (error: unknown) => {
          this.#runs.delete(run);
          giveUp(error);
        },
      );
    });
  }

  #watch(delayMs: number): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    setTimeout(() => this.#giveUpExpired(), delayMs).unref();
  }

  #giveUpExpired(): void {
    this.#isWatching = false;
    const now = performance.now();
    for (const run of this.#runs) {
      if (run.expiresAt > now) return this.#watch(Math.ceil(run.expiresAt - now));
      this.#runs.delete(run);
      run.giveUp(tooSlow(this.#limits.runTimeoutMs));
    }
  }
}

function busy(inFlightMax: number): ServiceError {
  return new ServiceError(
    'SERVICE_BUSY',
    `The service already works on ${inFlightMax} operations, its limit; try again in a second`,
  );
}

function tooSlow(runTimeoutMs: number): ServiceError {
  return new ServiceError(
    'OPERATION_TIMEOUT',
    `The operation did not finish within ${runTimeoutMs / 1_000} s and was given up; try again later`,
  );
}
