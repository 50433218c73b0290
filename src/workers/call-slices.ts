import type { CallLog } from '../console/calls/call-log.ts';
import type { ReportedCall } from '../console/calls/logged-call.ts';

/** Most calls that wait to be told: more than that the list does not keep. */
const WAITING_MAX = 1_000;

/**
 * Calls told in one turn of the event loop. Those who listen to the events may have 256 KiB waiting
 * (`queuedBytesMax` in event-feed.ts): of calls without arguments each is some 300 bytes long, of calls with
 * arguments (call-log.ts: 4,096 characters) up to 13 KB, where each character takes three bytes.
 */
const SLICE = { withoutArguments: 256, withArguments: 16 } as const;

/** How calls are told. */
interface SliceOptions {
  /** Whether the list has the arguments of calls. */
  readonly logsArguments: boolean;
  /** Runs something once sockets had their turn; `setImmediate` when left out. */
  readonly later?: (run: () => void) => void;
}

/** A call, and how many before it are not told. */
interface WaitingCall {
  readonly call: ReportedCall;
  readonly skipped: number;
}

/**
 * The calls that workers gathered, on their way into the list: so many at a time that whoever listens to the
 * list and reads what comes misses none of them.
 */
export class CallSlices {
  readonly #log: Pick<CallLog, 'addTold' | 'skip'>;
  readonly #sliceMax: number;
  readonly #later: (run: () => void) => void;
  #waiting: WaitingCall[] = [];
  #isTelling = false;

  constructor(log: Pick<CallLog, 'addTold' | 'skip'>, { logsArguments, later = setImmediate }: SliceOptions) {
    this.#log = log;
    this.#sliceMax = logsArguments ? SLICE.withArguments : SLICE.withoutArguments;
    this.#later = later;
  }

  /** Takes the calls of one message; `skipped` came before them and are more than the list keeps. */
  add(calls: readonly ReportedCall[], skipped: number): void {
    for (const [at, call] of calls.entries()) {
      this.#waiting.push({ call, skipped: at === 0 ? skipped : 0 });
    }
    this.#drop(this.#waiting.length - WAITING_MAX);
    if (!this.#isTelling) this.#tellSome();
  }

  /** Skips the oldest `count` calls that wait, if any. */
  #drop(count: number): void {
    if (count <= 0) return;
    for (const { skipped } of this.#waiting.splice(0, count)) this.#log.skip(skipped + 1);
  }

  #tellSome(): void {
    for (const { call, skipped } of this.#waiting.splice(0, this.#sliceMax)) {
      this.#log.skip(skipped);
      this.#log.addTold(call);
    }
    this.#isTelling = true;
    this.#later(() => {
      this.#isTelling = false;
      if (this.#waiting.length > 0) this.#tellSome();
    });
  }
}
