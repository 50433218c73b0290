import { ServiceError } from '../errors/service-error.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';

/** Limits on running operations. */
export interface OperationLimits {
  /** Number of operations that may run at the same time. */
  readonly inFlightMax: number;
  /** Time limit of one operation, ms. */
  readonly runTimeoutMs: number;
}

/** The time limit is twice what a patient client waits. */
const OPERATION_LIMITS: OperationLimits = { inFlightMax: 256, runTimeoutMs: 30_000 };

/**
 * Limits the number and the duration of running operations, over all transports. An operation that hangs on
 * an upstream fails after its time limit and frees its place. Its late outcome is dropped.
 */
export class OperationGate {
  readonly #limits: OperationLimits;
  readonly #timer: Timer;
  #inFlight = 0;

  constructor(limits: Partial<OperationLimits> = {}, timer: Timer = systemTimer) {
    this.#limits = { ...OPERATION_LIMITS, ...limits };
    this.#timer = timer;
  }

  /**
   * Runs `work` and settles as it does.
   *
   * @throws {ServiceError} SERVICE_BUSY if too many operations run, in which case `work` is not started;
   *   OPERATION_TIMEOUT.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { inFlightMax, runTimeoutMs } = this.#limits;
    if (this.#inFlight >= inFlightMax) return Promise.reject(busy(inFlightMax));
    return new Promise<T>((resolve, reject) => {
      const pending = work();
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        stop();
        this.#inFlight -= 1;
      };
      this.#inFlight += 1;
      const stop = this.#timer.after(runTimeoutMs, () => {
        leave();
        reject(tooSlow(runTimeoutMs));
      });
      pending.finally(leave).then(resolve, reject);
    });
  }
}

function busy(inFlightMax: number): ServiceError {
  return new ServiceError(
    'SERVICE_BUSY',
    `The service is already running ${inFlightMax} operations, its limit; try again in a second`,
  );
}

function tooSlow(runTimeoutMs: number): ServiceError {
  return new ServiceError(
    'OPERATION_TIMEOUT',
    `The operation did not finish within ${runTimeoutMs / 1_000} s and was given up; try again later`,
  );
}
