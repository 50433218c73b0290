import { setTimeout as pass } from 'node:timers/promises';
import { type HttpServer, type RequestHandler, startHttpServer } from '../../src/http/server.ts';
import type { EmbeddedLedger } from '../../src/ledger/embedded-ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { MemoryStore } from '../../src/ledger/store/memory-store.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import type { Timer } from '../../src/ports/timer.ts';
import { createRpcHandler } from '../../src/rpc/http/rpc-handler.ts';
import { createPubSub } from '../../src/rpc/pubsub/pubsub.ts';
import { dispatcherOn, TEST_VERSION } from '../../src/rpc/testing/call-method.ts';

/** Slot duration, in ms. Shorter than the default, because clients wait for slots. */
const SLOT_MS = 200;

/** Maximum attempts to find two neighboring free ports. */
const PAIRS_TRIED_MAX = 20;

const timer: Timer = {
  after(delayMs, run) {
    const running = setTimeout(run, delayMs);
    return () => clearTimeout(running);
  },
};

/** A ledger node in this process, with RPC on one port and WebSocket on the same and the next port. */
export interface ClientNode {
  readonly ledger: EmbeddedLedger;
  /** http URL of the RPC port. */
  readonly url: string;
  /** ws URL of the next port. */
  readonly socketUrl: string;
  /** Waits until a slot is over and its block exists. */
  untilFinished(slot: number): Promise<void>;
  close(): Promise<void>;
}

export async function startClientNode(): Promise<ClientNode> {
  const ledger = await openLedger({
    place: { store: new MemoryStore() },
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    slotMs: SLOT_MS,
  });
  const pubsub = createPubSub({
    node: { ledger, version: TEST_VERSION, featureSet: 7 },
    clock: systemClock,
    timer,
    logger: silentLogger,
  });
  const servers = await startPair(createRpcHandler({ dispatch: dispatcherOn(ledger) }));
  for (const server of servers) server.onUpgrade(pubsub.upgrade);
  const [rpc, sockets] = servers;
  return {
    ledger,
    url: rpc.url,
    socketUrl: sockets.url.replace('http', 'ws'),
    async untilFinished(slot) {
      while (ledger.finishedSlot() < slot) await pass(SLOT_MS);
    },
    async close() {
      await pubsub.close();
      await Promise.all(servers.map((server) => server.close()));
      await ledger.close();
    },
  };
}

/** Starts two servers on neighboring ports. */
async function startPair(handler: RequestHandler): Promise<readonly [HttpServer, HttpServer]> {
  for (let tried = 0; tried < PAIRS_TRIED_MAX; tried++) {
    const first = await startHttpServer('127.0.0.1', 0, handler);
    try {
      return [first, await startHttpServer('127.0.0.1', first.port + 1, handler)];
    } catch {
      await first.close();
    }
  }
  throw new Error('no two neighboring ports are free');
}
