import type { CallFacts, LoggedCall, RequestLog } from '../answers.ts';
import { type ApiRoute, createReadRoute } from '../api-route.ts';

/** Maximum number of stored calls. The oldest is dropped first. */
const CALLS_MAX = 1_000;

/** Maximum number of calls from the console's own page, so that they do not push out the others. */
const OWN_CALLS_MAX = 250;

interface CallLogOptions {
  /** Whether every call is listed with its arguments, including private calls. */
  readonly logsArguments: boolean;
}

/** The last calls, in memory. */
export class CallLog {
  readonly #logsArguments: boolean;
  readonly #listeners = new Set<(call: LoggedCall) => void>();
  #calls: LoggedCall[] = [];
  #ownCount = 0;
  #lastSeq = 0;

  constructor({ logsArguments }: CallLogOptions) {
    this.#logsArguments = logsArguments;
  }

  /** Returns whether a call may be listed, before its caller is known. */
  mayList(call: CallKind): boolean {
    return this.#logsArguments || mayBePublic(call);
  }

  add(reported: ReportedCall): void {
    if (!this.#logsArguments && !isPublic(reported)) return;
    this.#lastSeq += 1;
    const call = this.#listed(reported);
    this.#calls.push(call);
    if (reported.isOwn) this.#ownCount += 1;
    this.#forget();
    for (const listener of this.#listeners) listener(call);
  }

  /** Returns the calls after `seq`. */
  after(seq: number): RequestLog {
    const entries = this.#calls.filter((call) => call.seq > seq);
    return { entries, dropped: Math.max(0, this.#lastSeq - Math.max(0, seq)) - entries.length };
  }

  /** Returns the call with a number; undefined if there is none or it was dropped. */
  find(seq: number): LoggedCall | undefined {
    return this.#calls.find((call) => call.seq === seq);
  }

  /** Calls `listener` with each new call. Returns a function that unsubscribes it. */
  subscribe(listener: (call: LoggedCall) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The number of the last call; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Builds a listed call. Members are copied one by one, because V8 is slow with members after a spread. */
  #listed(reported: ReportedCall): LoggedCall {
    const { atMs, door, call, status, code, ms, requestBytes, responseBytes, requestId, isOwn } = reported;
    const listed = {
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
    if (!isOwn && !this.#logsArguments) return listed;
    return {
      ...listed,
      ...(isOwn && { own: true as const }),
      ...(this.#logsArguments && { arguments: storedArguments(reported.arguments) }),
    };
  }

  #forget(): void {
    if (this.#ownCount > OWN_CALLS_MAX) this.#dropOwn();
    // `shift` is faster than the `splice` below, which moves all other calls.
    if (this.#calls.length > CALLS_MAX && this.#calls.shift()?.own === true) this.#ownCount -= 1;
  }

  #dropOwn(): void {
    const at = this.#calls.findIndex(({ own }) => own === true);
    this.#calls.splice(at, 1);
    this.#ownCount -= 1;
  }
}

/** Maximum length of stored arguments as JSON, in characters. */
const LENGTH_MAX = 4_096;

/** Names of members that contain secrets: login challenges and signatures, tokens, keys. */
const SECRET_NAME = /token$|secret|password|^signature$|^challenge$|private_?key/i;

/** Tokens inside other texts: `?token=`, `Bearer`. */
const SECRET_TEXT = /(bearer\s+|[?&]token=)[^\s&"']+/gi;

/** Returns the arguments of a call without secrets and of limited length. */
function storedArguments(args: unknown): unknown {
  let text: string;
  try {
    text = JSON.stringify(args, hideSecret) ?? 'null';
  } catch {
    return { omitted: 'they cannot be written as JSON' };
  }
  if (text.length > LENGTH_MAX) return { omitted: `they are ${text.length} characters long` };
  return JSON.parse(text) as unknown;
}

/** Replaces secrets in a member of the stored arguments. */
function hideSecret(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  // JSON-RPC objects are maps.
  if (value instanceof Map) return Object.fromEntries(value);
  if (typeof value !== 'string') return value;
  return SECRET_NAME.test(name) ? '<secret>' : value.replaceAll(SECRET_TEXT, '$1<secret>');
}

/** Creates the route `GET /console/api/requests`, which lists the stored calls. */
export const createRequestsRoute = (log: CallLog): ApiRoute =>
  createReadRoute('/console/api/requests', () => log.after(0));

/** A call as it is reported to the call log. */
export interface ReportedCall extends CallFacts {
  /** Whether the console's own page made the call. */
  readonly isOwn: boolean;
  readonly hasToken: boolean;
  readonly arguments: unknown;
}

/** Operations whose transactions are public on base and are not part of a private payment. */
const OF_BASE: ReadonlySet<string> = new Set([
  'spl.deposit',
  'spl.withdraw',
  'spl.initializeMint',
  'spl.createLookupTable',
]);

/** Methods that write to base: transactions and the faucet. */
const BASE_METHODS: ReadonlySet<string> = new Set([
  'sendTransaction',
  'requestAirdrop',
  'requestTokenAirdrop',
]);

/** Methods that send a transaction to the rollup. */
const TRANSACTION_METHODS: ReadonlySet<string> = new Set(['sendTransaction', 'simulateTransaction']);

/**
 * Whether everyone on this machine may see a call. The list needs no token, so it must not reveal private
 * payments and reads, not even by their times or sizes.
 *
 * A private payer also reads base before and after a payment, and an assistant connects first. So successful
 * calls are listed only if they write to base. A refusal reveals the time of a private action just as a
 * success does. So refused operations are listed only if they write to base, and the rollup's refusals are
 * never listed. The same rule applies to MCP once the tool is known. Calls from the console's own page are
 * never listed, because it reads base after each private payment. Calls with a token and transactions for the
 * rollup are never listed either.
 */
export function isPublic(call: ReportedCall): boolean {
  return mayBePublic(call) && !call.isOwn && !call.hasToken && !isForRollup(call);
}

type CallKind = Pick<ReportedCall, 'door' | 'call' | 'code' | 'arguments'>;

/** Checks the part of {@link isPublic} that depends only on the call. The result is false for most calls. */
function mayBePublic(call: CallKind): boolean {
  return isPutOnBase(call) || (call.code !== null && isOfNoOperation(call));
}

/** Whether a call goes to base, or is a REST request for an unknown path. */
const isOfNoOperation = ({ door, call }: CallKind): boolean =>
  door === 'base' || (door === 'rest' && !/^(?:spl|localnet)\./.test(call));

function isForRollup({ door, call, arguments: args }: ReportedCall): boolean {
  if (door === 'rollup') return TRANSACTION_METHODS.has(call);
  return call === 'spl.sendTransaction' && membersOf(args)['sendTo'] !== 'base';
}

function isPutOnBase({ door, call, arguments: args }: CallKind): boolean {
  if (door === 'rollup') return false;
  if (door === 'base') return BASE_METHODS.has(call);
  if (call === 'spl.sendTransaction') return membersOf(args)['sendTo'] === 'base';
  return OF_BASE.has(call) || (call === 'spl.transfer' && isPublicTransfer(membersOf(args)));
}

/** Whether a call is a public transfer from base to base. The default visibility is private. */
function isPublicTransfer({
  visibility,
  fromBalance,
  toBalance,
}: Readonly<Record<string, unknown>>): boolean {
  const isOnBase = [fromBalance, toBalance].every((ledger) => ledger === undefined || ledger === 'base');
  return visibility === 'public' && isOnBase;
}

function membersOf(args: unknown): Readonly<Record<string, unknown>> {
  return Object(args) as Readonly<Record<string, unknown>>;
}
