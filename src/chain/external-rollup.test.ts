import { expect, it, onTestFinished } from 'vitest';
import { refusalOf } from '../../test/run-operation.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { LOCALNET_VALIDATOR } from '../programs/addresses.ts';
import { openExternalRollup } from './clusters.ts';
import { clusterSettings, urls } from './testing/cluster-settings.ts';
import { HandTime } from './testing/hand-time.ts';
import { serveHttp } from './testing/loopback-server.ts';

const ports = { clock: new HandTime(), random: systemRandom, logger: silentLogger };

it('uses the rollup at EPHEMERAL_RPC_URL, which has no login', async () => {
  const server = await serveHttp((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { identity: LOCALNET_VALIDATOR } }));
  });
  onTestFinished(() => server.close());
  const { rollup, close } = openExternalRollup(
    clusterSettings({ ephemeralRpcUrl: urls(server.url.href) }),
    ports,
  );
  onTestFinished(close);
  expect(await rollup.identity()).toBe(LOCALNET_VALIDATOR);
  expect(rollup).toMatchObject({ auth: null, publicUrl: server.url.origin });
});

it('is rejected if its validator differs from EPHEMERAL_VALIDATOR', async () => {
  const server = await serveHttp((_request, response) => {
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { identity: LOCALNET_VALIDATOR } }));
  });
  onTestFinished(() => server.close());
  const ephemeralValidator = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57';
  const settings = clusterSettings({ ephemeralRpcUrl: urls(server.url.href), ephemeralValidator });
  const { rollup, close } = openExternalRollup(settings, ports);
  onTestFinished(close);
  expect(await refusalOf(rollup.identity())).toMatchObject({
    code: 'VALIDATOR_DISPUTED',
    context: { told: LOCALNET_VALIDATOR, configured: ephemeralValidator },
  });
});

it('names the missing variable', async () => {
  const opening = Promise.resolve().then(() => openExternalRollup(clusterSettings(), ports));
  expect(await refusalOf(opening)).toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('EPHEMERAL_RPC_URL'),
  });
});
