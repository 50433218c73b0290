import { type CallKind, isTold, mayBeTold } from './call-privacy.ts';
import { keptArguments } from './kept-arguments.ts';
import type { LoggedCall, RequestLog } from '../answers.ts';
import type { ReportedCall } from './logged-call.ts';

/** Calls that are kept; the oldest go first. */
const CALLS_MAX = 1_000;

/** Calls of the console's own page among them, so that a page that asks all the time displaces nothing. */
const OWN_CALLS_MAX = 250;

/** Calls in one answer at most. */
const PAGE_MAX = 1_000;

/** How to create a {@link CallLog}. */
interface CallLogOptions {
  /** Whether every call is told with its arguments, private ones too. */
  readonly logsArguments: boolean;
}

/** The last calls of the program, in memory. */
export class CallLog {
  readonly #logsArguments: boolean;
  readonly #listeners = new Set<(call: LoggedCall) => void>();
  #calls: LoggedCall[] = [];
  #ownCount = 0;
  #lastSeq = 0;

  constructor({ logsArguments }: CallLogOptions) {
    this.#logsArguments = logsArguments;
  }

  /** Whether such a call may be listed, whoever made it. For callers that would have to find out more. */
  mayTell(call: CallKind): boolean {
    return this.#logsArguments || mayBeTold(call);
  }

  /** Takes note of a call that everybody may know of; of any other there is no trace. */
  add(reported: ReportedCall): void {
    if (!this.#logsArguments && !isTold(reported)) return;
    const { isOwn, hasToken: _, arguments: args, ms, ...told } = reported;
    this.#lastSeq += 1;
    const call: LoggedCall = {
      seq: this.#lastSeq,
      ...told,
      ms: Math.round(ms * 100) / 100,
      ...(isOwn && { own: true as const }),
      ...(this.#logsArguments && { arguments: keptArguments(args) }),
    };
    this.#calls.push(call);
    if (isOwn) this.#ownCount += 1;
    this.#forget();
    for (const tell of this.#listeners) tell(call);
  }

  /** The calls after `seq`, at most `limit`. */
  after(seq: number, limit: number = PAGE_MAX): RequestLog {
    const later = this.#calls.filter((call) => call.seq > seq);
    const entries = later.slice(0, Math.min(limit, PAGE_MAX));
    return { entries, dropped: Math.max(0, this.#lastSeq - Math.max(0, seq)) - later.length };
  }

  /** The call with a number; undefined where there is none, or it has been forgotten. */
  find(seq: number): LoggedCall | undefined {
    return this.#calls.find((call) => call.seq === seq);
  }

  /** Calls `tell` with each further call, until the function it returns is called. */
  subscribe(tell: (call: LoggedCall) => void): () => void {
    this.#listeners.add(tell);
    return () => void this.#listeners.delete(tell);
  }

  /** The number of the last call; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  #forget(): void {
    if (this.#ownCount > OWN_CALLS_MAX) this.#drop(this.#calls.findIndex(({ own }) => own === true));
    if (this.#calls.length > CALLS_MAX) this.#drop(0);
  }

  #drop(at: number): void {
    const [dropped] = this.#calls.splice(at, 1);
    if (dropped?.own === true) this.#ownCount -= 1;
  }
}
