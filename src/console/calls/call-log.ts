import type { LoggedCall, RequestLog } from '../answers.ts';
import { type ApiRoute, createReadRoute } from '../api-route.ts';
import { type CallKind, isTold, mayBeTold, type ReportedCall } from './call-privacy.ts';

/** Calls that are kept; the oldest go first. */
const CALLS_MAX = 1_000;

/** Calls of the console's own page among them, so that a page that asks all the time displaces nothing. */
const OWN_CALLS_MAX = 250;

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
    this.#lastSeq += 1;
    const call = this.#listed(reported);
    this.#calls.push(call);
    if (reported.isOwn) this.#ownCount += 1;
    this.#forget();
    for (const tell of this.#listeners) tell(call);
  }

  /** The calls after `seq`. */
  after(seq: number): RequestLog {
    const entries = this.#calls.filter((call) => call.seq > seq);
    return { entries, dropped: Math.max(0, this.#lastSeq - Math.max(0, seq)) - entries.length };
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

  /** Listed one by one: V8 takes microseconds for each member after what an object spreads first. */
  #listed(reported: ReportedCall): LoggedCall {
    const { atMs, door, call, status, code, ms, requestBytes, responseBytes, requestId, isOwn } = reported;
    const told = {
      seq: this.#lastSeq,
      atMs,
      door,
      call,
      status,
      code,
      ms: Math.round(ms * 100) / 100,
      requestBytes,
      responseBytes,
      requestId,
    };
    if (!isOwn && !this.#logsArguments) return told;
    return {
      ...told,
      ...(isOwn && { own: true as const }),
      ...(this.#logsArguments && { arguments: keptArguments(reported.arguments) }),
    };
  }

  #forget(): void {
    if (this.#ownCount > OWN_CALLS_MAX) this.#dropOwn();
    // Not as below, which moves all the others.
    if (this.#calls.length > CALLS_MAX && this.#calls.shift()?.own === true) this.#ownCount -= 1;
  }

  #dropOwn(): void {
    const at = this.#calls.findIndex(({ own }) => own === true);
    this.#calls.splice(at, 1);
    this.#ownCount -= 1;
  }
}

/** Longest arguments that are kept, characters of their JSON. */
const LENGTH_MAX = 4_096;

/** Names of members that prove who somebody is: what is signed to log in, tokens, keys. */
const SECRET_NAME = /token$|secret|password|^signature$|^challenge$|private_?key/i;

/** Tokens are long, and stand where their name is not: `?token=`, `Bearer`. */
const SECRET_TEXT = /(bearer\s+|[?&]token=)[^\s&"']+/gi;

/**
 * The arguments of a call as the list keeps them: without what would let its reader be somebody else, and
 * not longer than is read by people.
 */
function keptArguments(args: unknown): unknown {
  let text: string;
  try {
    text = JSON.stringify(args, hideSecret) ?? 'null';
  } catch {
    return { notKept: 'they cannot be written as JSON' };
  }
  if (text.length > LENGTH_MAX) return { notKept: `they are ${text.length} characters long` };
  return JSON.parse(text) as unknown;
}

/** Mints are tokens as well, and their addresses no secrets. */
function hideSecret(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  // Objects of JSON-RPC are maps.
  if (value instanceof Map) return Object.fromEntries(value);
  if (typeof value !== 'string') return value;
  return SECRET_NAME.test(name) ? '<secret>' : value.replaceAll(SECRET_TEXT, '$1<secret>');
}

/** `GET /console/api/requests`: the calls that are kept. */
export const createRequestsRoute = (log: CallLog): ApiRoute =>
  createReadRoute('/console/api/requests', () => log.after(0));
