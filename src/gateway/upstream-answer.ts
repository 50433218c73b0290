import type { UpstreamAnswer } from '../chain/upstream/transport.ts';
import {
  decodeLeniently,
  faultOfAnswer,
  faultOfRpcError,
  faultOfStatus,
  sentCredentialsOf,
} from '../chain/upstream/upstream-fault.ts';
import { LongText } from '../json/long-text.ts';
import { findMember, hasRepeatedMember, tryParseJson } from '../json/parse-json.ts';
import { type Answer, type CallId, readId } from '../rpc/envelope.ts';

/** The name of an upstream in messages. */
export const WHO = 'the upstream';

/** An answer of an upstream that passed all checks. */
export interface Forwarded {
  /** The unchanged answer without outer whitespace. */
  readonly answer: Answer;
  readonly isError: boolean;
}

/** Size above which an answer is not parsed, in bytes. Parsing it would delay other calls. */
export const LONG_ANSWER = 64 * 1024;

/**
 * Checks that a response is an unambiguous JSON-RPC 2.0 answer to the call `id` and contains no key of the
 * upstream's URL. Checks only the start and the end of a long answer, because nodes never send long errors.
 *
 * @throws {UpstreamFault} if a check fails.
 */
export function readAnswer(answer: UpstreamAnswer, id: CallId, keys: UrlKeys): Forwarded {
  const bytes = Buffer.concat(answer.chunks, answer.byteCount);
  const isLong = answer.byteCount > LONG_ANSWER && answer.status === 200;
  const isError = isLong ? false : readEnvelope(answer, bytes.toString(), id);
  // Nodes end their answers with a line feed, which the gateway adds again.
  const text = bytes.subarray(0, bytes.lastIndexOf('}') + 1);
  if (isLong && !/^\s*\{\s*"/.test(bytes.toString('latin1', 0, 64))) throw notJsonRpc();
  if (keys.areIn(text)) throw faultOfAnswer(WHO, 'with a key from its own URL');
  return { answer: isLong ? LongText.of([text]) : text.toString().trimStart(), isError };
}

const notJsonRpc = (): Error => faultOfAnswer(WHO, 'in a format that is not JSON-RPC');

/** Checks an answer to the call `id`. Returns whether it is an error. */
function readEnvelope(
  { status, retryAfter }: Pick<UpstreamAnswer, 'status' | 'retryAfter'>,
  text: string,
  id: CallId,
): boolean {
  // Some providers send a JSON error with an HTTP error status. The JSON says more than the status.
  const isRefusal = status >= 400 && status < 500 && !STATUSES_OF_URL.has(status);
  const answer = status === 200 || isRefusal ? tryParseJson(text) : undefined;
  const isAnswer = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  if (status !== 200 && !(isAnswer && hasError(answer))) {
    throw faultOfStatus(WHO, status, retryAfter, false);
  }
  if (!isAnswer || !isVersioned(answer) || !(hasError(answer) || 'result' in answer)) throw notJsonRpc();
  if (hasRepeatedMember(text)) throw notJsonRpc();
  // JSON-RPC 1.0 sends both members and sets the unused one to null, so null counts as absent.
  if (hasError(answer) && 'result' in answer && answer.result !== null)
    throw faultOfAnswer(WHO, 'with both a result and an error');
  if (readId(findMember(text, 'id')) !== id) {
    // Nodes reject a call they cannot parse without its id (JSON-RPC 2.0, section 5).
    if (hasError(answer) && (answer.id ?? null) === null) throw faultOfRpcError(WHO, answer.error.code);
    throw faultOfAnswer(WHO, 'a different call');
  }
  return hasError(answer);
}

/** Statuses that concern the URL (its key or its limits) and not the call. */
const STATUSES_OF_URL: ReadonlySet<number> = new Set([401, 403, 408, 429]);

function isVersioned(answer: object): boolean {
  return 'jsonrpc' in answer && answer.jsonrpc === '2.0';
}

function hasError(answer: object): answer is { readonly error: { readonly code: number }; id?: unknown } {
  if (!('error' in answer) || typeof answer.error !== 'object' || answer.error === null) return false;
  return 'code' in answer.error && Number.isInteger(answer.error.code);
}

/** Minimum length of a key. Shorter parts of a URL can occur in any text. */
const KEY_LENGTH_MIN = 8;
/** A part of at least this length counts as a key even without a digit. */
const LONG_LENGTH_MIN = 20;

/**
 * The parts of URLs that may be API keys: the user, the password, both as basic authentication, and parts of
 * the path or query that are long or contain a digit. JSON may escape a slash with a backslash.
 */
export class UrlKeys {
  readonly #keys: readonly string[];

  constructor(urls: readonly URL[]) {
    const written = urls.flatMap(keysOf).flatMap((key) => [key, key.replaceAll('/', '\\/')]);
    this.#keys = [...new Set(written)];
  }

  /** Whether a text contains one of the keys. */
  areIn(text: Buffer): boolean {
    return this.#keys.some((key) => text.includes(key));
  }
}

function keysOf(url: URL): string[] {
  const { username, password, pathname, searchParams, search } = url;
  const parts = [...pathname.split('/'), ...search.slice(1).split(/[&=]/), ...searchParams.values()];
  const keys = parts.filter(isKeyLike);
  if (password !== '') keys.push(password);
  if (username !== '' && (password === '' || isKeyLike(username))) keys.push(username);
  return [...keys, ...keys.map(decodeLeniently), sentCredentialsOf(url)].filter((key) => key !== '');
}

function isKeyLike(part: string): boolean {
  return part.length >= LONG_LENGTH_MIN || (part.length >= KEY_LENGTH_MIN && /\d/.test(part));
}
