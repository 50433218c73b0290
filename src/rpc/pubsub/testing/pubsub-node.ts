import { onTestFinished } from 'vitest';
import { startHttpServer } from '../../../http/server.ts';
import type { OpenLedgerOptions } from '../../../ledger/open-ledger.ts';
import { openTestLedger, type TestLedger } from '../../../ledger/testing/test-ledger.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { HandTimer } from '../../../ports/testing/hand-timer.ts';
import { createRpcHandler } from '../../http/rpc-handler.ts';
import { dispatcherOn, TEST_VERSION } from '../../testing/call-method.ts';
import { createPubSub, type PubSub, type PubSubOptions } from '../pubsub.ts';
import { PubSubClient } from './pubsub-client.ts';

/** A ledger node with WebSocket on the RPC port. The test controls its time. It is closed after the test. */
export interface PubSubNode extends TestLedger {
  readonly pubsub: PubSub;
  readonly timer: HandTimer;
  /** The HTTP URL of the port. */
  readonly url: string;
  readonly socketUrl: string;
  connect(): Promise<PubSubClient>;
  /** Advances time by slots. */
  passSlots(count: number): void;
}

export async function startPubSubNode(
  options: Partial<PubSubOptions> = {},
  ledgerOptions: Partial<OpenLedgerOptions> = {},
): Promise<PubSubNode> {
  const test = await openTestLedger(ledgerOptions);
  const { ledger, clock } = test;
  const timer = new HandTimer();
  const pubsub = createPubSub({
    node: { ledger, version: TEST_VERSION, featureSet: 7 },
    clock,
    timer,
    logger: silentLogger,
    ...options,
  });
  const handler = createRpcHandler({ dispatch: dispatcherOn(ledger) });
  const server = await startHttpServer('127.0.0.1', 0, handler);
  server.onUpgrade(pubsub.upgrade);
  onTestFinished(async () => {
    const closed = pubsub.close();
    timer.pass(60_000);
    await closed;
    await server.close();
    await ledger.close();
  });
  const socketUrl = server.url.replace('http', 'ws');
  return {
    ...test,
    pubsub,
    timer,
    url: server.url,
    socketUrl,
    connect: () => new PubSubClient(socketUrl).opened(),
    passSlots(count) {
      clock.pass(count * ledger.slotMs);
      timer.pass(ledger.slotMs);
    },
  };
}
