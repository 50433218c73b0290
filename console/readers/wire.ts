import { formatCount } from '../parts/decimal.ts';
import type { Ledger } from '../parts/reader.ts';

/** One call as it went over the wire: the proof of what a cell shows. */
export interface Wire {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly ledger: Ledger;
  /** The wallet whose token was sent; null without one. Never the token itself. */
  readonly token: string | null;
  /** How many calls went out together. */
  readonly calls: number;
  /** From sending until the answer was read, ms. */
  readonly ms: number;
  /** What came back, in a word: `null`, `2,683 bytes`, `error -32601`. */
  readonly answer: string;
  /** The slot the answer is of; null if it names none. */
  readonly slot: number | null;
}

/** What a ledger answered, or why nothing is known. */
export type Answer<T> =
  | { readonly kind: 'value'; readonly value: T; readonly wire: Wire }
  | { readonly kind: 'failed'; readonly code: number | null; readonly message: string; readonly wire: Wire };

/** The path of a ledger's JSON-RPC at the page's own origin. */
export const pathOf = (ledger: Ledger): string => `/console/rpc/${ledger}`;

/** What an answer is in a word. Accounts and the like come wrapped in their slot. */
export function wordOf(result: unknown): string {
  const value = unwrapped(result);
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return formatCount(value);
  if (typeof value === 'string') return `${value.length} characters`;
  const bytes = new TextEncoder().encode(JSON.stringify(value, textOfBigint) ?? '').length;
  if (Array.isArray(value) && value.length === 1) return wordOf(value[0]);
  if (isRecord(value) && 'confirmationStatus' in value) return value['err'] === null ? 'Ok' : 'Err';
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : `${value.length} in a list`;
  return `${formatCount(bytes)} bytes`;
}

/** The slot that an answer with a context is of. */
export function slotOf(result: unknown): number | null {
  const slot = isRecord(result) && isRecord(result['context']) ? result['context']['slot'] : null;
  return typeof slot === 'number' ? slot : null;
}

/** What a cell says below its value: `getAccountInfo → null · no token · 3 ms`. */
export function wireLine({ method, answer, token, ms }: Wire, nameOf: (address: string) => string): string {
  const asked = token === null ? 'no token' : `${nameOf(token)}’s token`;
  return `${method} → ${answer} · ${asked} · ${ms < 1 ? '<1' : Math.round(ms)} ms`;
}

/**
 * The call for a shell. It carries no token, even where the page sent one: a token is never copied, and the
 * text says where it belongs.
 */
export function curlOf({ ledger, method, params, token }: Wire, origin: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, textOfBigint);
  const header = token === null ? '' : ` -H "Authorization: Bearer $TOKEN"`;
  return `curl -s ${origin}${pathOf(ledger)} -H 'Content-Type: application/json'${header} -d ${quoted(body)}`;
}

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const unwrapped = (result: unknown): unknown =>
  isRecord(result) && 'context' in result && 'value' in result ? result['value'] : result;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOfBigint = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;
