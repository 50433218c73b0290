import { basicCredentialsOf, type UpstreamAnswer } from '../chain/upstream/transport.ts';
import { faultOfAnswer, faultOfRpcError, faultOfStatus } from '../chain/upstream/upstream-fault.ts';
import { findMember, hasRepeatedMember } from '../json/json-text.ts';
import { LongText } from '../json/long-text.ts';
import { tryParseJson } from '../json/parse-json.ts';
import { type Answer, type CallId, readId } from '../rpc/envelope.ts';
import type { Steps } from '../rpc/scan/scan.ts';
import { AnswerOutline, LONG_VALUE } from './answer-outline.ts';

/** The name of an upstream in messages. */
export const WHO = 'the upstream';

/** An answer that can be passed on. */
export interface Forwarded {
  /** The answer as it came, without outer space. */
  readonly answer: Answer;
  readonly isError: boolean;
}

/**
 * Checks that a response is an unambiguous JSON-RPC 2.0 answer to the call `id` and contains no key of the
 * upstream's URL. A long value is passed on without being parsed: see {@link AnswerOutline}.
 *
 * @throws {UpstreamFault} if it is anything else.
 */
export function* readAnswer(answer: UpstreamAnswer, id: CallId, keys: UrlKeys): Steps<Forwarded> {
  if (answer.byteCount <= LONG_VALUE) {
    const text = answer.body.trim();
    const isError = readEnvelope(answer, text, id);
    if (keys.areIn(Buffer.from(text).toString('latin1')))
      throw faultOfAnswer(WHO, 'with a key from its own URL');
    return { answer: text, isError };
  }
  const outline = new AnswerOutline();
  let end = '';
  for (const chunk of answer.chunks) {
    const text = chunk.toString('latin1');
    outline.add(text);
    end += text;
    if (keys.areIn(end)) throw faultOfAnswer(WHO, 'with a key from its own URL');
    end = end.slice(-keys.longest);
    yield chunk.length;
  }
  const isError = readEnvelope(answer, Buffer.from(outline.text ?? '', 'latin1').toString(), id);
  return { answer: LongText.of(trimmed(answer.chunks)), isError };
}

/** Without the space behind the last member: nodes end their answers with a line feed, and so do we. */
function trimmed(chunks: readonly Buffer[]): Buffer[] {
  const last = chunks.at(-1) ?? Buffer.alloc(0);
  return [...chunks.slice(0, -1), last.subarray(0, last.lastIndexOf('}') + 1)];
}

/** Whether an answer to the call `id` is an error. */
function readEnvelope(
  { status, retryAfter }: Pick<UpstreamAnswer, 'status' | 'retryAfter'>,
  text: string,
  id: CallId,
): boolean {
  // Some providers put an error's JSON under a status of its own, which then says less than the JSON.
  const isRefusal = status >= 400 && status < 500 && !STATUSES_OF_URL.has(status);
  const answer = status === 200 || isRefusal ? tryParseJson(text) : undefined;
  const isAnswer = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  if (status !== 200 && !(isAnswer && hasError(answer))) {
    throw faultOfStatus(WHO, status, retryAfter, false);
  }
  if (!isAnswer || !isVersioned(answer) || !(hasError(answer) || 'result' in answer)) {
    throw faultOfAnswer(WHO, 'with something that is not JSON-RPC');
  }
  if (hasRepeatedMember(text)) throw faultOfAnswer(WHO, 'with something that is not JSON-RPC');
  // JSON-RPC 1.0 sends both members and sets the unused one to null, so null counts as absent.
  if (hasError(answer) && 'result' in answer && answer.result !== null)
    throw faultOfAnswer(WHO, 'with both a result and an error');
  if (readId(findMember(text, 'id')) !== id) {
    // A call that could not be read is refused without its id (JSON-RPC 2.0, section 5).
    if (hasError(answer) && (answer.id ?? null) === null) throw faultOfRpcError(WHO, answer.error.code);
    throw faultOfAnswer(WHO, 'a different call');
  }
  return hasError(answer);
}

/** Statuses that concern this URL and not the call: its key, its limits. */
const STATUSES_OF_URL: ReadonlySet<number> = new Set([401, 403, 408, 429]);

function isVersioned(answer: object): boolean {
  return 'jsonrpc' in answer && answer.jsonrpc === '2.0';
}

function hasError(answer: object): answer is { readonly error: { readonly code: number }; id?: unknown } {
  if (!('error' in answer) || typeof answer.error !== 'object' || answer.error === null) return false;
  return 'code' in answer.error && Number.isInteger(answer.error.code);
}

/** Shorter parts of a URL occur in any text. */
const KEY_LENGTH_MIN = 8;
/** From this length on a part without a digit is no word of a path any more. */
const LONG_LENGTH_MIN = 20;

/**
 * The parts of URLs that may be API keys: user, password, both in the form of basic authentication, and parts
 * of the path or query that are long, or shorter with a digit. JSON may escape a slash with a backslash.
 */
export class UrlKeys {
  readonly #keys: readonly string[];

  constructor(urls: readonly URL[]) {
    const written = urls.flatMap(keysOf).flatMap((key) => [key, key.replaceAll('/', '\\/')]);
    this.#keys = [...new Set(written.map((key) => Buffer.from(key).toString('latin1')))];
  }

  /** The length of the longest one, at least 1. */
  get longest(): number {
    return Math.max(1, ...this.#keys.map(({ length }) => length));
  }

  /** Whether a text repeats one of them; keys beyond ASCII only if it has one character per byte. */
  areIn(text: string): boolean {
    return this.#keys.some((key) => text.includes(key));
  }
}

function keysOf(url: URL): string[] {
  const { username, password, pathname, searchParams, search } = url;
  const parts = [...pathname.split('/'), ...search.slice(1).split(/[&=]/), ...searchParams.values()];
  const keys = parts.filter(isKeyLike);
  if (password !== '') keys.push(password);
  if (username !== '' && (password === '' || isKeyLike(username))) keys.push(username);
  const credentials = basicCredentialsOf(url);
  // Without the padding, which some encoders omit.
  const sent = credentials === null ? [] : [credentials.replace(/=+$/, '')];
  return [...keys, ...keys.map(decodeLeniently), ...sent];
}

function isKeyLike(part: string): boolean {
  return part.length >= LONG_LENGTH_MIN || (part.length >= KEY_LENGTH_MIN && /\d/.test(part));
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
