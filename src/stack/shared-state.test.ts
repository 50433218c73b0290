import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { paymentOf } from '../settlement/testing/payments.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { digestUse } from '../service/rest/idempotency-keys.ts';
import { NO_NODES } from './nodes.ts';
import { openSharedState } from './shared-state.ts';

const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
const use = digestUse(['deposit', '', 'key'], { amount: 1 });
const LEDGER_UPSTREAM_URL = 'http://127.0.0.1:1';

it.each([
  ['is stored with a ledger in a folder', { dataFolder: temporaryFolder }, {}, 'answered'],
  ['is forgotten with a ledger in memory', { dataFolder: () => null }, {}, 'new'],
  [
    'is stored by a gateway to a real cluster',
    { dataFolder: () => null },
    { LEDGER_UPSTREAM_URL },
    'answered',
  ],
])('a response of the service %s', async (_, { dataFolder: makeFolder }, env, kind) => {
  const dataFolder = makeFolder();
  const config = readConfig({ CLUSTER: 'devnet', DATA_DIR: temporaryFolder(), ...env });
  const nodes = { ...NO_NODES, base: {} as never, dataFolder };
  for (const expected of ['new', kind]) {
    const { idempotencyKeys, close } = await openSharedState(config, nodes, ports);
    const claim = await idempotencyKeys.claim(use);
    expect(claim.kind).toBe(expected);
    if (claim.kind === 'new') await claim.settle({ status: 200, body: '{}' });
    await close();
  }
});

it.each([
  ['of a facilitator are stored in a file of their own', { FACILITATOR_SECRET_KEY: '[1]' }, true],
  ['have no file without a facilitator', {}, false],
])('payments %s', async (_, env, isStored) => {
  const dataFolder = temporaryFolder();
  const config = readConfig({ CLUSTER: 'devnet', ...env });
  const nodes = { ...NO_NODES, base: {} as never, dataFolder };
  const payment = paymentOf('a');
  for (const kind of ['created', 'same']) {
    const { payments, close } = await openSharedState(config, nodes, ports);
    if (isStored) expect((await payments.create(payment, 0)).kind).toBe(kind);
    await close();
  }
  expect(existsSync(join(dataFolder, 'payments.mdb'))).toBe(isStored);
});
