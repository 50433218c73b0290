import type { Ledger } from '../../ledger/ledger.ts';
import { silentLogger } from '../../ports/logger.ts';
import { BATCH_MAX, createDispatcher, type Dispatcher } from '../dispatcher.ts';
import { LEDGER_METHODS } from '../methods/method-table.ts';

/** The version that test nodes report. */
export const TEST_VERSION = '4.2.1';

/** Creates a dispatcher for all methods on `ledger`. */
export function dispatcherOn(ledger: Ledger): Dispatcher {
  return createDispatcher({
    node: { ledger, version: TEST_VERSION, featureSet: 7 },
    methods: LEDGER_METHODS,
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
}

/** Calls a method. Returns the `"result":...` or `"error":...` of the answer as text. */
export async function callForText(ledger: Ledger, method: string, params?: string): Promise<string> {
  const member = params === undefined ? '' : `,"params":${params}`;
  const answer = await dispatcherOn(ledger)(`{"jsonrpc":"2.0","id":1,"method":"${method}"${member}}`);
  const match = /^\{"jsonrpc":"2\.0",(.*),"id":1\}$/s.exec(answer);
  if (match === null) throw new Error(`not an answer to a call: ${answer}`);
  return match[1] as string;
}

/** Calls a method. Returns `{ result }` or `{ error }`. Numbers beyond 2^53 are rounded. */
export async function callMethod(
  ledger: Ledger,
  method: string,
  ...params: readonly unknown[]
): Promise<{ readonly result?: unknown; readonly error?: unknown }> {
  return JSON.parse(`{${await callForText(ledger, method, JSON.stringify(params))}}`);
}

/** Creates the answer to malformed or out-of-bounds parameters. */
export const invalidParamsError = (message: string): { readonly error: object } => ({
  error: { code: -32602, message },
});
