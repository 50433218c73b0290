import type { ReportedCall } from '../console/calls/logged-call.ts';
import type { Timer } from '../ports/timer.ts';

/** How long a call waits for others to be told of with it, ms: too short for a reader of the list to see. */
const GATHERED_MS = 250;

/** Most calls in one message: more than that the list does not keep. */
const CALLS_MAX = 1_000;

/** Tells the list of calls; `skipped` came before these and are more than it keeps. */
type TellCalls = (calls: readonly ReportedCall[], skipped: number) => void;

/**
 * The calls that a worker has answered, on their way to the list in the primary. A message for each would
 * cost more than many a call; so they go in one, four times a second at most.
 */
export class CallNotes {
  readonly #tell: TellCalls;
  readonly #timer: Timer;
  #calls: ReportedCall[] = [];
  #skipped = 0;
  #callOff: (() => void) | undefined;

  constructor(tell: TellCalls, timer: Timer) {
    this.#tell = tell;
    this.#timer = timer;
  }

  add(call: ReportedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > CALLS_MAX) {
      this.#calls.shift();
      this.#skipped += 1;
    }
    this.#callOff ??= this.#timer.after(GATHERED_MS, () => this.close());
  }

  /** Tells what has been gathered, at once. */
  close(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const calls = this.#calls;
    const skipped = this.#skipped;
    this.#calls = [];
    this.#skipped = 0;
    if (calls.length > 0) this.#tell(calls, skipped);
  }
}
