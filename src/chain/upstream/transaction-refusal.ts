import { z } from 'zod';
import { basicCredentialsOf } from './basic-credentials.ts';
import type { TransactionRefusal } from './upstream-fault.ts';

/** Longest upstream text that is quoted, characters. */
const QUOTE_MAX = 300;

/** Shorter parts of a URL occur in ordinary text ("v1", "rpc"). */
const SECRET_LENGTH_MIN = 6;

/**
 * `text` shortened for quoting. Null if it contains a URL or a part of its source URL (host, path, query,
 * user, password, and these two as they are sent), since operators put keys there.
 */
export function quoteSafely(text: string, source: URL): string | null {
  if (text.includes('://')) return null;
  const lowerCase = text.toLowerCase();
  if (partsOf(source).some((part) => lowerCase.includes(part))) return null;
  return text.length > QUOTE_MAX ? `${text.slice(0, QUOTE_MAX)}...` : text;
}

function partsOf(url: URL): string[] {
  const { host, hostname, username, password, pathname, search } = url;
  // Of a pair its value, and a key that stands alone.
  const query = search.slice(1).split('&');
  const values = query.map((pair) => pair.slice(pair.indexOf('=') + 1));
  const raw = [host, hostname, username, password, ...pathname.split('/'), ...values];
  const parts = [...raw, ...url.searchParams.values(), ...raw.map(decodeLeniently), sentCredentialsOf(url)];
  return parts.filter((part) => part.length >= SECRET_LENGTH_MIN).map((part) => part.toLowerCase());
}

/** As they are sent, without what only fills them up and some leave out; empty for a URL with none. */
function sentCredentialsOf(url: URL): string {
  return basicCredentialsOf(url)?.replace(/=+$/, '') ?? '';
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How many of the last log lines are passed on. The failing call and its message are at the end. */
const LOG_LINES_MAX = 10;

/** The fields used here of Agave's failed preflight (`RpcSimulateTransactionResult`). */
const preflight = z.object({
  err: z.unknown().optional(),
  logs: z.array(z.string()).nullish(),
});

/**
 * Why a transaction was refused, from the JSON-RPC error object: its TransactionError if present, else the
 * upstream's message.
 *
 * @param source the URL the answer came from; no part of it may be shown.
 */
export function readTransactionRefusal(
  error: { message?: string | undefined; data?: unknown },
  source: URL,
): TransactionRefusal {
  const { err, logs } = preflight.safeParse(error.data).data ?? { err: undefined, logs: [] };
  const words = err === undefined || err === null ? error.message : textOf(err);
  return {
    reason: words === undefined ? null : quoteSafely(words, source),
    logs: (logs ?? []).slice(-LOG_LINES_MAX).flatMap((line) => quoteSafely(line, source) ?? []),
  };
}

const textOf = (err: unknown): string => (typeof err === 'string' ? err : JSON.stringify(err));
