import { z } from 'zod';
import { quoteSafely } from './quotable.ts';
import type { TransactionRefusal } from './upstream-fault.ts';

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
