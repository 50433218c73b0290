import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpClient } from '../../test/conformance/http-client.ts';
import { recordErrors, startService } from '../../test/conformance/running-service.ts';
import { createClusters } from '../chain/clusters.ts';
import { readConfig } from '../config/config.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { Registry } from '../metrics/registry.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { openCheckout } from './checkout.ts';
import { NO_NODES } from './nodes.ts';
import { openPaymentFollower } from './payment-follower.ts';
import { openSharedState } from './shared-state.ts';

/** Ledgers that no test reads. */
const UPSTREAM = {
  BASE_DEVNET_RPC_URL: 'http://127.0.0.1:1',
  EPHEMERAL_DEVNET_RPC_URL: 'http://127.0.0.1:1',
};

/** Starts a service with merchants. Returns its client, and the lines that it logs as errors. */
async function start(env: Readonly<Record<string, string>>) {
  const logger = recordErrors();
  const ports = { clock: systemClock, random: systemRandom, logger };
  const config = readConfig({ CLUSTER: 'devnet', ...UPSTREAM, CHECKOUT_SECRET: 's'.repeat(32), ...env });
  const nodes = { ...NO_NODES, base: {} as never, dataFolder: temporaryFolder() };
  const shared = await openSharedState(config, nodes, ports);
  const clusters = createClusters(config, { ...ports, localnet: null });
  const follower = openPaymentFollower(shared.payments, clusters, logger);
  const checkout = openCheckout({ config, clusters, ports, shared, follower, registry: new Registry() });
  const server = await startService({ logger, extensions: checkout === null ? [] : [checkout] });
  const client = new HttpClient(server.port);
  onTestFinished(async () => {
    client.close();
    await server.close();
    await clusters.close();
    await shared.close();
  });
  return { client, lines: logger.lines };
}

const asMerchant = (id: string) => ({ authorization: 'Bearer key', 'x-merchant-id': id });

describe('the merchant API', () => {
  it('rejects ids that are longer than the keys of its store (bug: 500 and 503, and log lines)', async () => {
    const { client, lines } = await start({});
    const ask = async (path: string, headers = {}) =>
      (await client.ask({ method: 'GET', path, headers })).status;
    expect(await ask('/v1/payments', asMerchant('m'.repeat(20_000)))).toBe(401);
    expect(await ask(`/v1/payments/${'o'.repeat(10_000)}`)).toBe(401);
    expect(await ask(`/v1/payment-links/m/${'l'.repeat(10_000)}`)).toBe(404);
    expect(lines).toEqual([]);
  });

  it('is busy while its database is down (bug: it failed with 500)', async () => {
    const { client } = await start({ STATE_URL: 'postgres://user@127.0.0.1:1/state' });
    const calls = [
      { method: 'GET', path: '/v1/payments', headers: asMerchant('m') },
      { method: 'GET', path: '/v1/payment-links/m/l' },
    ];
    for (const call of calls) {
      const { status, headers, text } = await client.ask(call);
      expect([status, headers['retry-after'], text]).toEqual([
        503,
        '1',
        expect.stringContaining('SERVICE_BUSY'),
      ]);
    }
  });
});
