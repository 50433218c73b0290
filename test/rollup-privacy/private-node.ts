import { startHttpServer } from '../../src/http/server.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { LoginService } from '../../src/rollup/auth/login-service.ts';
import { createLoginRoutes } from '../../src/rollup/auth/login-routes.ts';
import { TokenReaders } from '../../src/rollup/auth/token-readers.ts';
import {
  openPrivateRollup,
  type Holder,
  type PrivateRollup,
} from '../../src/rollup/privacy/testing/private-rollup.ts';
import { BATCH_MAX } from '../../src/rpc/dispatcher.ts';
import { withLogin } from '../../src/rpc/http/login-handler.ts';
import { createReaderDispatchers } from '../../src/rpc/http/reader-dispatchers.ts';
import { createRpcHandler } from '../../src/rpc/http/rpc-handler.ts';
import { ROLLUP_METHODS } from '../../src/rpc/methods/rollup/rollup-methods.ts';
import { createPubSub } from '../../src/rpc/pubsub/pubsub.ts';
import { HandTimer } from '../../src/rpc/pubsub/testing/hand-timer.ts';
import { PubSubClient } from '../../src/rpc/pubsub/testing/pubsub-client.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';

/** Those who ask: a stranger without a token, a stranger with one of his own, and the owner. */
export const EVERYBODY = ['nobody', 'sam', 'alice'] as const;
export type Who = (typeof EVERYBODY)[number];

/** A private rollup behind its real servers. */
export interface PrivateNode extends PrivateRollup {
  readonly url: string;
  readonly timer: HandTimer;
  /** Every line that was logged, as text. */
  readonly logged: readonly string[];
  readonly tokens: Readonly<Record<'sam' | 'alice', string>>;
  /** The text of the answer to one call. */
  call(who: Who, method: string, params: readonly unknown[]): Promise<string>;
  connect(who: Who): Promise<PubSubClient>;
  /** Lets so many slots pass. */
  passSlots(count: number): void;
}

export async function startPrivateNode(): Promise<PrivateNode> {
  const scene = await openPrivateRollup();
  const { rollup, views, clock } = scene;
  const timer = new HandTimer();
  const logged: string[] = [];
  const logger = recordingLogger(logged);

  const secret = new Uint8Array(32).fill(3);
  const logins = new LoginService({ secret, clock, readersOf: (account) => views.readersOf(account) });
  const readers = new TokenReaders(logins, views);
  const node = { ledger: rollup, version: '4.2.1', featureSet: 7, publicUrl: 'http://127.0.0.1:7799' };
  const dispatchers = createReaderDispatchers(
    { node, methods: ROLLUP_METHODS, batchMax: BATCH_MAX, logger },
    readers,
  );
  const { view, isTokenGood } = readers;
  const pubsub = createPubSub({ node, clock, timer, logger, view, isTokenGood });
  const server = await startHttpServer(
    '127.0.0.1',
    0,
    withLogin(createRpcHandler(dispatchers), { logins: createLoginRoutes(logins) }),
  );
  server.onUpgrade(pubsub.upgrade);
  const { url } = server;
  const tokens = { sam: await logIn(url, scene.sam), alice: await logIn(url, scene.alice) };
  return {
    ...scene,
    url,
    timer,
    logged,
    tokens,
    async call(who, method, params) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headersOf(who, tokens) },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return await answer.text();
    },
    connect: (who) =>
      new PubSubClient(url.replace('http', 'ws'), { headers: headersOf(who, tokens) }).opened(),
    passSlots(count) {
      clock.pass(count * rollup.slotMs);
      timer.pass(rollup.slotMs);
    },
    async close() {
      const closed = pubsub.close();
      timer.pass(60_000);
      await closed;
      await server.close();
      await scene.close();
    },
  };
}

function headersOf(who: Who, tokens: PrivateNode['tokens']): Record<string, string> {
  return who === 'nobody' ? {} : { authorization: `Bearer ${tokens[who]}` };
}

async function logIn(url: string, { wallet, address }: Holder): Promise<string> {
  const asked = await fetch(`${url}/auth/challenge?pubkey=${address}`);
  const { challenge } = (await asked.json()) as { challenge: string };
  const signature = encodeBase58(wallet.sign(Buffer.from(challenge)));
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ pubkey: address, challenge, signature }),
  });
  const { token } = (await answer.json()) as { token: string };
  return token;
}

function recordingLogger(lines: string[]): Logger {
  const log = (fields: object, message: string): void => {
    lines.push(`${JSON.stringify(fields)} ${message}`);
  };
  return { debug: log, info: log, warn: log, error: log };
}
