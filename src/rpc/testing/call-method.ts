import type { Ledger } from '../../ledger/ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import { BATCH_MAX, createDispatcher, type Dispatcher } from '../dispatcher.ts';
import { LEDGER_METHODS } from '../methods/method-table.ts';

/** The version that nodes of tests report. */
export const TEST_VERSION = '4.2.1';

/** A dispatcher of all methods on `ledger`. */
export function dispatcherOn(ledger: Ledger): Dispatcher {
  return createDispatcher({
    node: { ledger, version: TEST_VERSION, featureSet: 7 },
    methods: LEDGER_METHODS,
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
}

/**
 * The answer to one call as text, without the members common to all answers: `"result":...` or `"error":...`.
 */
export async function callForText(ledger: Ledger, method: string, params?: string): Promise<string> {
  const member = params === undefined ? '' : `,"params":${params}`;
  const answer = await dispatcherOn(ledger)(`{"jsonrpc":"2.0","id":1,"method":"${method}"${member}}`);
  const match = /^\{"jsonrpc":"2\.0",(.*),"id":1\}$/s.exec(answer);
  if (match === null) throw new Error(`not an answer to a call: ${answer}`);
  return match[1] as string;
}

/** The answer to one call, parsed: `{ result }` or `{ error }`. Numbers lose digits beyond 2^53. */
export async function callMethod(
  ledger: Ledger,
  method: string,
  ...params: readonly unknown[]
): Promise<{ readonly result?: unknown; readonly error?: unknown }> {
  return JSON.parse(`{${await callForText(ledger, method, JSON.stringify(params))}}`);
}

/** The error for parameters that are out of bounds or malformed. */
export const invalidParamsError = (message: string): { readonly error: object } => ({
  error: { code: -32602, message },
});
