import { ServiceError } from '../errors/service-error.ts';
import { Members } from '../http/members.ts';
import type { Clock } from '../ports/clock.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';

/** Limits on running operations. */
export interface OperationLimits {
  /** How many may run at once. */
  readonly inFlightMax: number;
  /** How long one may run, ms. */
  readonly runTimeoutMs: number;
}

/**
 * As many operations at once as a slow upstream may hold up without harm to the process, and twice the time a
 * patient client waits.
 */
const OPERATION_LIMITS: OperationLimits = { inFlightMax: 256, runTimeoutMs: 30_000 };

/** What tells when an operation has taken too long. */
export interface GateTime {
  /** Never goes back, whatever happens to the wall clock. */
  readonly clock: Clock;
  readonly timer: Timer;
}

const SYSTEM_TIME: GateTime = { clock: performance, timer: systemTimer };

/** A running operation. */
interface Run {
  /** When it is given up, by the gate's clock, ms. */
  readonly expiresAt: number;
  readonly giveUp: (error: ServiceError) => void;
}

/**
 * Limits the number and the duration of running operations, over all transports. An operation that hangs on
 * an upstream is given up after its time and frees its place; its late outcome is dropped. Every call passes
 * here, so there is one timer for all runs, re-armed only after it has fired.
 */
export class OperationGate {
  readonly #limits: OperationLimits;
  readonly #time: GateTime;
  /** In order of start, and thus of expiry. */
  readonly #runs = new Members<Run>();
  #isWatching = false;

  constructor(limits: Partial<OperationLimits> = {}, time: GateTime = SYSTEM_TIME) {
    this.#limits = { ...OPERATION_LIMITS, ...limits };
    this.#time = time;
  }

  /**
   * Runs `work` and settles as it does.
   *
   * @throws {ServiceError} SERVICE_BUSY if too many run, in which case `work` is not started;
   *   OPERATION_TIMEOUT.
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { inFlightMax, runTimeoutMs } = this.#limits;
    if (this.#runs.size >= inFlightMax) return Promise.reject(busy(inFlightMax));
    return new Promise<T>((resolve, giveUp) => {
      const pending = work();
      const run = this.#runs.add({ expiresAt: this.#time.clock.now() + runTimeoutMs, giveUp });
      this.#watch(runTimeoutMs);
      pending.then(
        (result) => {
          this.#runs.remove(run);
          resolve(result);
        },
        (error: unknown) => {
          this.#runs.remove(run);
          giveUp(error);
        },
      );
    });
  }

  #watch(delayMs: number): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#time.timer.after(delayMs, () => this.#giveUpExpired());
  }

  #giveUpExpired(): void {
    this.#isWatching = false;
    const now = this.#time.clock.now();
    for (let run = this.#runs.first; run !== undefined; run = this.#runs.first) {
      const { expiresAt, giveUp } = run.item;
      if (expiresAt > now) return this.#watch(Math.ceil(expiresAt - now));
      this.#runs.remove(run);
      giveUp(tooSlow(this.#limits.runTimeoutMs));
    }
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
