import type { Ledger } from '../parts/reader.ts';
import { pathOf } from './wire.ts';

/** The context that a reviver gets (TC39 `JSON.parse` source text access). */
interface Source {
  readonly source?: string;
}

/**
 * A number with 16 or more digits, or an exponent. Only these may lose precision. Texts without one skip the
 * reviver, which is ten times slower. A match inside a string is harmless.
 */
const MAY_BE_INEXACT = /[:,[]\s*-?(?:\d{16}|[\d.]+e)|^\s*-?(?:\d{16}|[\d.]+e)/i;

/**
 * Parses JSON. Whole numbers that a double cannot represent become bigints.
 *
 * Browsers without source text access get null for such numbers, never a rounded value. This affects
 * `rentEpoch` and lamports above 9 million SOL.
 *
 * @throws {SyntaxError} if the text is not JSON.
 */
export function readJson(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text);
  return JSON.parse(text, exactly as (key: string, value: unknown) => unknown);
}

function exactly(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : null;
}

/** Ports for the readers. */
export interface ReaderPorts {
  /** Posts a body to a ledger, with an optional token. Returns the text of the response. */
  post(ledger: Ledger, body: string, token: string | null, signal: AbortSignal): Promise<string>;
  /** A monotonic clock, ms. */
  now(): number;
}

/** One call of a batch. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The JSON-RPC outcome of a call. */
export type RpcOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number | null; readonly message: string } };

/**
 * Sends calls as one batch. The outcomes are in the order of the calls.
 *
 * Never rejects. If the ledger does not respond, every call fails. If the response omits a call, only that
 * call fails.
 */
export async function sendBatch(
  ports: ReaderPorts,
  ledger: Ledger,
  calls: readonly RpcCall[],
  token: string | null,
  signal: AbortSignal,
): Promise<readonly RpcOutcome[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
  let answered: unknown;
  try {
    answered = readJson(await ports.post(ledger, body, token, signal));
  } catch {
    const name = ledger === 'base' ? 'The ledger node' : 'The rollup';
    return calls.map(() => failure(null, `${name} does not respond.`));
  }
  if (!Array.isArray(answered)) {
    const told = outcomeOf(answered);
    return calls.map(() => ('error' in told ? told : failure(null, 'The response is not JSON-RPC.')));
  }
  const byId = new Map(answered.map((one: { readonly id?: unknown }) => [one.id, outcomeOf(one)]));
  return calls.map((_, id) => byId.get(id) ?? failure(null, 'The ledger did not answer this call.'));
}

function outcomeOf(one: unknown): RpcOutcome {
  if (typeof one !== 'object' || one === null) return failure(null, 'The response is not JSON-RPC.');
  if ('error' in one && typeof one.error === 'object' && one.error !== null) {
    const { code, message } = one.error as { readonly code?: unknown; readonly message?: unknown };
    return failure(
      typeof code === 'number' ? code : null,
      String(message ?? 'The ledger rejected the call.'),
    );
  }
  return 'result' in one ? { result: one.result } : failure(null, 'The response is not JSON-RPC.');
}

const failure = (code: number | null, message: string): RpcOutcome => ({ error: { code, message } });

/** Timeout for a batch, ms. */
const ANSWER_MS_MAX = 15_000;

/** The reader ports of a browser, at the page's own origin. */
export const browserPorts: ReaderPorts = {
  now: () => performance.now(),
  post: async (ledger, body, token, signal) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token !== null) headers['authorization'] = `Bearer ${token}`;
    const response = await fetch(pathOf(ledger), {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
    });
    return await response.text();
  },
};
