import { startHttpServer } from '../../http/server.ts';
import { openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { createRpcHandler } from '../http/rpc-handler.ts';
import { callForText, callMethod, dispatcherOn } from './call-method.ts';

/**
 * A ledger node with the real engine and programs, in memory, behind a real listener. Tests move its time.
 */
export interface TestNode extends TestLedger {
  readonly url: string;
  /** The answer to one call, parsed. */
  call(method: string, ...params: readonly unknown[]): ReturnType<typeof callMethod>;
  /** The result of one call, which must have one. */
  ask<T>(method: string, ...params: readonly unknown[]): Promise<T>;
  /** The text of `"result":...` or `"error":...` of one call; `params` is JSON. */
  callForText(method: string, params?: string): Promise<string>;
  close(): Promise<void>;
}

export async function startTestNode(): Promise<TestNode> {
  const test = await openTestLedger();
  const { ledger } = test;
  const server = await startHttpServer('127.0.0.1', 0, createRpcHandler({ dispatch: dispatcherOn(ledger) }));
  return {
    ...test,
    url: server.url,
    call: (method, ...params) => callMethod(ledger, method, ...params),
    async ask<T>(method: string, ...params: readonly unknown[]) {
      const answer = await callMethod(ledger, method, ...params);
      if (!('result' in answer)) throw new Error(`${method}: ${JSON.stringify(answer)}`);
      return answer.result as T;
    },
    callForText: (method, params) => callForText(ledger, method, params),
    async close() {
      await server.close();
      await ledger.close();
    },
  };
}
