import { type Dispatcher, Pool } from 'undici';
import { startHttpServer } from '../../src/http/server.ts';
import type { Keypair } from '../../src/ledger/keypair.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { createCallMetrics } from '../../src/metrics/call-metrics.ts';
import { addPubsubMetrics } from '../../src/metrics/ledger-metrics.ts';
import { addHttpMetrics } from '../../src/metrics/process-metrics.ts';
import { Registry } from '../../src/metrics/registry.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { HandTimer } from '../../src/ports/testing/hand-timer.ts';
import { LoginService } from '../../src/rollup/auth/login-service.ts';
import { type PrivateViews, TokenReaders } from '../../src/rollup/privacy/private-views.ts';
import { PerformanceSampler } from '../../src/rpc/cluster/performance-samples.ts';
import { BATCH_MAX } from '../../src/rpc/dispatcher.ts';
import { withLogin } from '../../src/rpc/http/login-handler.ts';
import { createReaderDispatchers, createRpcHandler } from '../../src/rpc/http/rpc-handler.ts';
import { ROLLUP_METHODS } from '../../src/rpc/methods/rollup/rollup-methods.ts';
import { createPubSub } from '../../src/rpc/pubsub/pubsub.ts';
import { PubSubClient } from '../../src/rpc/pubsub/testing/pubsub-client.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { CALL_NAMES } from '../../src/stack/ledger-server.ts';
import { recordingLogger } from './recording-logger.ts';

/** The rollup that is served to readers. */
interface ServedRollup {
  readonly rollup: Ledger;
  readonly views: PrivateViews;
  readonly clock: Clock;
  /** Collects every logged line. Default: a new list. */
  readonly logged?: string[];
}

/** A response header with only this machine's time. */
const TIME_HEADER = 'date';

/** A rollup with readers behind its real servers. `nobody` asks without a token. */
export interface ReaderServer<Who extends string> {
  readonly url: string;
  /** The timer of subscriptions. */
  readonly timer: HandTimer;
  /** Every logged line, as text. */
  readonly logged: readonly string[];
  readonly tokens: Readonly<Record<Who, string>>;
  /** The metrics of the server: its calls, connections and answers. */
  readonly registry: Registry;
  /** Makes one call and returns the text of its answer. */
  call(who: Who | 'nobody', method: string, params: readonly unknown[]): Promise<string>;
  /** Makes one call and returns its whole answer: status, headers and text. */
  exchange(who: Who | 'nobody', method: string, params: readonly unknown[]): Promise<string>;
  connect(who: Who | 'nobody'): Promise<PubSubClient>;
  /** Closes the servers; the rollup stays open. */
  close(): Promise<void>;
}

/** @param wallets the wallets that log in. */
export async function serveReaders<Who extends string>(
  { rollup, views, clock, logged = [] }: ServedRollup,
  wallets: Readonly<Record<Who, Keypair>>,
): Promise<ReaderServer<Who>> {
  const timer = new HandTimer();
  const logger = recordingLogger(logged);
  const secret = new Uint8Array(32).fill(3);
  const logins = new LoginService({ secret, clock, readersOf: (account) => views.readersOf(account) });
  const readers = new TokenReaders(logins, views);
  const performance = new PerformanceSampler(rollup);
  const publicUrl = 'http://127.0.0.1:7799';
  const registry = new Registry();
  const observe = createCallMetrics(registry, 'rollup_rpc', CALL_NAMES.rollup);
  const node = { ledger: rollup, version: '4.2.1', featureSet: 7, publicUrl, performance };
  const dispatchers = createReaderDispatchers(
    { node, methods: ROLLUP_METHODS, batchMax: BATCH_MAX, logger, observe },
    readers,
  );
  const { view, isTokenValid } = readers;
  const pubsub = createPubSub({ node, clock, timer, logger, view, isTokenValid, observe });
  addPubsubMetrics(registry, 'rollup', pubsub);
  const server = await startHttpServer('127.0.0.1', 0, withLogin(createRpcHandler(dispatchers), { logins }));
  server.onUpgrade(pubsub.upgrade);
  addHttpMetrics(registry, [{ name: 'rollup', counts: () => server.counts }]);
  const { url } = server;
  const names = Object.keys(wallets) as Who[];
  const tokens = Object.fromEntries(
    await Promise.all(names.map(async (who) => [who, await logIn(url, wallets[who])] as const)),
  ) as Record<Who, string>;
  const headersOf = (who: Who | 'nobody'): Record<string, string> =>
    who === 'nobody' ? {} : { authorization: `Bearer ${tokens[who]}` };
  // With thousands of questions, `fetch` would take as much time as the node.
  const pool = new Pool(url);
  const ask = (
    who: Who | 'nobody',
    method: string,
    params: readonly unknown[],
  ): Promise<Dispatcher.ResponseData> =>
    pool.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(who) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  return {
    url,
    timer,
    logged,
    tokens,
    registry,
    call: async (who, method, params) => await (await ask(who, method, params)).body.text(),
    async exchange(who, method, params) {
      const { statusCode, headers, body } = await ask(who, method, params);
      const told = Object.entries(headers).filter(([name]) => name !== TIME_HEADER);
      return `${statusCode} ${JSON.stringify(told)}\n${await body.text()}`;
    },
    connect: (who) => new PubSubClient(url.replace('http', 'ws'), { headers: headersOf(who) }).opened(),
    async close() {
      const closed = pubsub.close();
      timer.pass(60_000);
      await closed;
      await pool.close();
      await server.close();
    },
  };
}

async function logIn(url: string, wallet: Keypair): Promise<string> {
  const asked = await fetch(`${url}/auth/challenge?pubkey=${wallet.address}`);
  const { challenge } = (await asked.json()) as { challenge: string };
  const signature = encodeBase58(wallet.sign(Buffer.from(challenge)));
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ pubkey: wallet.address, challenge, signature }),
  });
  const { token } = (await answer.json()) as { token: string };
  return token;
}
