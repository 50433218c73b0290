import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MEMORY_MS } from '../src/chain/upstream/slot-floor.ts';
import { REST_MS } from '../src/chain/upstream/upstream-fault.ts';
import { Keypair } from '../src/ledger/keypair.ts';
import { systemRandom } from '../src/ports/random.ts';
import { type Fault, hang } from './upstreams/faults.ts';
import type { PlayedNode } from './upstreams/played-node.ts';
import { signBuilt } from './upstreams/sign-built.ts';
import { startService } from './upstreams/start-service.ts';
import { BALANCE, ROLLUP_PAYMENT, TwoNetworks } from './upstreams/two-networks.ts';

/** A ledger that is reached at two URLs, of which one fails. */

let networks: TwoNetworks;
let first: PlayedNode;
let second: PlayedNode;

beforeAll(async () => {
  networks = await TwoNetworks.start();
  first = networks.devnet.base;
  second = networks.mainnet.base;
});

afterAll(() => networks.close());

/** A service whose base ledger is at both, `first` before `second`. */
const serve = () =>
  startService(
    {
      CLUSTER: 'devnet',
      BASE_DEVNET_RPC_URL: `${first.url.href},${second.url.href}`,
      EPHEMERAL_DEVNET_RPC_URL: networks.devnet.rollup.url.href,
    },
    onTestFinished,
  );

const fail: Fault = (response) => void response.writeHead(500).end();

describe('a URL that is 900,000 slots behind', () => {
  it('returns no outdated balance when it takes over, but is accepted if the ledger was reset', async () => {
    const { client, clock } = await serve();
    expect(await client.rest('getBalance', BALANCE)).toMatchObject({ status: 200 });
    second.slot = first.slot - 900_000;
    onTestFinished(() => void (second.slot = first.slot));
    await first.during('*', fail, async () => {
      const refused = await client.rest('getBalance', BALANCE);
      expect(refused).toMatchObject({ status: 502, body: { code: 'UPSTREAM_UNAVAILABLE' } });
      expect(refused.text).not.toContain('"balance"');
      clock.pass(MEMORY_MS + 1);
      expect(await client.rest('getBalance', BALANCE)).toMatchObject({ status: 200 });
    });
  });

  it('is skipped after the other is back', async () => {
    const { client, clock } = await serve();
    expect(await client.rest('getBalance', BALANCE)).toMatchObject({ status: 200 });
    second.slot = first.slot - 900_000;
    onTestFinished(() => void (second.slot = first.slot));
    await first.during('*', fail, () => client.rest('getBalance', BALANCE));
    clock.pass(REST_MS + 1);
    expect(await client.rest('getBalance', BALANCE)).toMatchObject({ status: 200 });
  });
});

describe('a URL that hangs', () => {
  it('is retried by one read after its pause, and by no transaction', async () => {
    const { client, clock } = await serve();
    const owner = new Keypair(systemRandom.bytes(32));
    const built = await client.rest('transfer', { ...ROLLUP_PAYMENT, from: owner.address });
    const transactionBase64 = signBuilt(built.body['transactionBase64'] as string, owner);
    await first.during('*', fail, () => client.rest('getBalance', BALANCE));
    clock.pass(REST_MS + 1);
    await first.during('*', hang, async () => {
      first.takeMethods();
      const reads = Array.from({ length: 6 }, () => client.rest('getBalance', BALANCE));
      const sends = [1, 2].map(() => client.rest('sendTransaction', { transactionBase64, sendTo: 'base' }));
      const answers = await Promise.all([...reads, ...sends]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(first.takeMethods()).toEqual(['getMultipleAccounts']);
    });
  });

  it('is preferred again when it answers', async () => {
    const { client, clock } = await serve();
    await first.during('*', fail, () => client.rest('getBalance', BALANCE));
    clock.pass(REST_MS + 1);
    second.takeMethods();
    for (let asked = 0; asked < 2; asked++) await client.rest('getBalance', BALANCE);
    expect(second.takeMethods()).toEqual([]);
  });
});
