import { formatCount } from '../parts/decimal.ts';
import type { Ledger } from '../parts/reader.ts';

/** A call to a ledger with its result: the source of a shown value. */
export interface Wire {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly ledger: Ledger;
  /** The wallet whose token was sent; null without one. The token itself is not stored. */
  readonly token: string | null;
  /** Number of calls in the same batch. */
  readonly calls: number;
  /** Duration until the response was read, ms. */
  readonly ms: number;
  /** Summary of the answer: `null`, `2,683 bytes`, `error -32601`. */
  readonly answer: string;
  /** The slot of the answer; null if it has none. */
  readonly slot: number | null;
}

/** The answer of a ledger, or why there is none. */
export type Answer<T> =
  | { readonly kind: 'value'; readonly value: T; readonly wire: Wire }
  | { readonly kind: 'failed'; readonly code: number | null; readonly message: string; readonly wire: Wire };

/** The path of a ledger's JSON-RPC at the page's own origin. */
export const pathOf = (ledger: Ledger): string => `/console/rpc/${ledger}`;

/** Summarizes an answer. Values with a context are unwrapped first. */
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

/** The slot in the context of an answer; null if it has none. */
export function slotOf(result: unknown): number | null {
  const slot = isRecord(result) && isRecord(result['context']) ? result['context']['slot'] : null;
  return typeof slot === 'number' ? slot : null;
}

/** Describes a call: `getAccountInfo → null · no token · 3 ms`. */
export function wireLine({ method, answer, token, ms }: Wire, nameOf: (address: string) => string): string {
  const asked = token === null ? 'no token' : `${nameOf(token)}’s token`;
  return `${method} → ${answer} · ${asked} · ${ms < 1 ? '<1' : Math.round(ms)} ms`;
}

/** Formats a call as a curl command. It has `$TOKEN` in place of a token, because tokens are never copied. */
export function curlOf({ ledger, method, params, token }: Wire, origin: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, textOfBigint);
  const header = token === null ? '' : ` -H "Authorization: Bearer $TOKEN"`;
  return `curl -s ${origin}${pathOf(ledger)} -H 'Content-Type: application/json'${header} -d ${quoted(body)}`;
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const unwrapped = (result: unknown): unknown =>
  isRecord(result) && 'context' in result && 'value' in result ? result['value'] : result;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOfBigint = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;
