import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { MEMORY_MS } from '../src/chain/upstream/slot-floor.ts';
import { createPrivatePayments } from '../src/client/index.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { FROM } from '../src/payments/transfer/testing/transfer-scene.ts';
import { playNetwork, type PlayedNetwork } from './upstreams/played-network.ts';
import { networkVariables, startService } from './upstreams/start-service.ts';
import { newBlockhash } from './upstreams/two-networks.ts';

const FLOOR = 'ledger-slot-floor';
const BALANCE = `/v1/spl/balance?address=${FROM}&mint=${USDC_MINT}&cluster=mainnet`;
/** The slot at which the ledgers start. */
const SLOT = 1_000_000;

let ahead: PlayedNetwork;
let behind: PlayedNetwork;
const clocks: { pass(ms: number): void }[] = [];
let urls: Record<'ahead' | 'behind' | 'both', string>;

/** Starts a replica whose base ledger has these URLs. */
async function startReplica(...bases: readonly PlayedNetwork[]): Promise<string> {
  const [first] = bases as [PlayedNetwork];
  const { client, clock } = await startService(
    {
      CLUSTER: 'mainnet',
      ...networkVariables('mainnet', first),
      BASE_RPC_URL: bases.map(({ base }) => base.url.href).join(),
      LEDGER_UPSTREAM_URL: first.base.url.href,
    },
    afterAll,
  );
  clocks.push(clock);
  return client.origin;
}

beforeAll(async () => {
  const hashes = { base: newBlockhash(), rollup: newBlockhash() };
  [ahead, behind] = [await playNetwork(hashes), await playNetwork(hashes)];
  afterAll(async () => {
    await Promise.all([ahead.close(), behind.close()]);
  });
  urls = {
    ahead: await startReplica(ahead),
    behind: await startReplica(behind),
    both: await startReplica(behind, ahead),
  };
});

/** Moves the ledgers, after the replicas have forgotten their earlier slots. */
const setSlots = (aheadAt: number, behindAt: number): void => {
  for (const clock of clocks) clock.pass(MEMORY_MS + 1);
  ahead.base.slot = aheadAt;
  behind.base.slot = behindAt;
};

async function read(url: string, floor?: string) {
  const response = await fetch(`${url}${BALANCE}`, {
    headers: floor === undefined ? {} : { [FLOOR]: floor },
  });
  return {
    status: response.status,
    floor: response.headers.get(FLOOR),
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('a caller of several replicas', () => {
  it('gets the slot of the ledgers with a response', async () => {
    setSlots(SLOT, SLOT);
    expect(await read(urls.ahead)).toMatchObject({ status: 200, floor: `mainnet.base=${SLOT}` });
    const response = await fetch(`${urls.ahead}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'spl.getBalance', arguments: { address: FROM, mint: USDC_MINT } },
      }),
    });
    expect(response.headers.get(FLOOR)).toBe(`mainnet.base=${SLOT}`);
  });

  it('gets no older answer from a replica whose ledger is far behind', async () => {
    setSlots(SLOT + 1_000, SLOT);
    const { status, body } = await read(urls.behind, `mainnet.base=${SLOT + 1_000}`);
    expect([status, body['code']]).toEqual([502, 'UPSTREAM_UNAVAILABLE']);
    expect(body['detail']).toContain(
      '1000 slots behind the one you have seen (Ledger-Slot-Floor); try again',
    );
    expect((await read(urls.behind)).status).toBe(200);
  });

  it('waits for a replica whose ledger is slightly behind', async () => {
    setSlots(SLOT + 1_000, SLOT);
    const reading = read(urls.behind, `mainnet.base=${SLOT + 2}`);
    behind.base.slot = SLOT + 3;
    expect(await reading).toMatchObject({ status: 200, floor: `mainnet.base=${SLOT + 3}` });
  });

  it('gets the answer of another URL that is not behind', async () => {
    setSlots(SLOT + 100, SLOT + 5);
    expect(await read(urls.both)).toMatchObject({ status: 200, floor: `mainnet.base=${SLOT + 5}` });
    expect(await read(urls.both, `mainnet.base=${SLOT + 100}`)).toMatchObject({
      status: 200,
      floor: `mainnet.base=${SLOT + 100}`,
    });
  });

  it('cannot block others with a false slot, nor make the replica read often', async () => {
    setSlots(SLOT + 100, SLOT + 100);
    behind.base.takeMethods();
    const lie = `mainnet.base=${'9'.repeat(15)}`;
    const lies = Array.from({ length: 5 }, () => read(urls.behind, lie));
    const honest = await Promise.all(Array.from({ length: 5 }, () => read(urls.behind)));
    for (const { status, floor } of honest) {
      expect([status, floor]).toEqual([200, `mainnet.base=${SLOT + 100}`]);
    }
    for (const { status } of await Promise.all(lies)) expect(status).toBe(502);
    const blockhashes = behind.base.takeMethods().filter((method) => method === 'getLatestBlockhash');
    expect(blockhashes.length).toBeLessThanOrEqual(5);
  });

  it.each(['mainnet.base', 'mainnet.base=-5', 'nonsense=1, mainnet.base=x', 'devnet.base=999999999', '""'])(
    'is answered if its header is %s',
    async (floor) => {
      expect((await read(urls.behind, floor)).status).toBe(200);
    },
  );

  it('sends the slots by itself if it uses the client', async () => {
    setSlots(SLOT + 2_000, SLOT + 100);
    const order = [urls.ahead, urls.behind, urls.behind];
    const client = createPrivatePayments({
      url: urls.ahead,
      maxRetries: 0,
      fetch: (url, init) => fetch(String(url).replace(urls.ahead, order.shift() as string), init),
    });
    const asked = { address: FROM, mint: USDC_MINT, cluster: 'mainnet' };
    await client.getBalance(asked);
    await expect(client.getBalance(asked)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    behind.base.slot = SLOT + 2_000;
    await client.getBalance(asked);
  });
});
