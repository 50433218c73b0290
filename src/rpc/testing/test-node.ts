import { startHttpServer } from '../../http/server.ts';
import { openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { createRpcHandler } from '../http/rpc-handler.ts';
import { callForText, callMethod, dispatcherOn } from './call-method.ts';

/** An in-memory ledger node with the real engine, programs and HTTP server. Tests control its time. */
export interface TestNode extends TestLedger {
  readonly url: string;
  /** Calls a method and returns the parsed answer. */
  call(method: string, ...params: readonly unknown[]): ReturnType<typeof callMethod>;
  /** Calls a method and returns its result. Throws if the answer is an error. */
  ask<T>(method: string, ...params: readonly unknown[]): Promise<T>;
  /** Calls a method and returns the text `"result":...` or `"error":...`. `params` is JSON. */
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
