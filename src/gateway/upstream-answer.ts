import type { UpstreamAnswer } from '../chain/upstream/transport.ts';
import { faultOfAnswer, faultOfRpcError, faultOfStatus } from '../chain/upstream/upstream-fault.ts';
import { findMember, hasRepeatedMember } from '../json/json-text.ts';
import { LongText } from '../json/long-text.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import type { Answer } from '../rpc/answer.ts';
import type { Steps } from '../rpc/scan/scan.ts';
import { AnswerOutline, LONG_VALUE } from './answer-outline.ts';
import type { UrlKeys } from './url-keys.ts';
import { readId, type CallId } from '../rpc/envelope.ts';

/** What an upstream is called in messages. */
export const WHO = 'the upstream';

/** An answer that can be passed on. */
export interface Forwarded {
  /** The answer as it came, without outer space. */
  readonly answer: Answer;
  readonly isError: boolean;
}

/**
 * Checks that what came back is a JSON-RPC 2.0 answer to the call `id`, which cannot be read in two ways, and
 * repeats no key. A long value is passed on as it is, and not parsed: see {@link AnswerOutline}.
 *
 * @throws {UpstreamFault} when it is anything else.
 */
export function* readAnswer(answer: UpstreamAnswer, id: CallId, keys: UrlKeys): Steps<Forwarded> {
  if (answer.byteCount <= LONG_VALUE) {
    const text = answer.body.trim();
    const isError = readEnvelope(answer, text, id);
    if (keys.areIn(Buffer.from(text).toString('latin1')))
      throw faultOfAnswer(WHO, 'with a key of its own address');
    return { answer: text, isError };
  }
  const outline = new AnswerOutline();
  let end = '';
  for (const chunk of answer.chunks) {
    const text = chunk.toString('latin1');
    outline.add(text);
    end += text;
    if (keys.areIn(end)) throw faultOfAnswer(WHO, 'with a key of its own address');
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
    throw faultOfAnswer(WHO, 'another call than the one it was asked');
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
