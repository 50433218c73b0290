import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../src/chain/testing/loopback-server.ts';
import { AGE_MAX_MS, LAG_BLOCKS_MAX, STANDSTILL_MS } from '../src/chain/upstream/fresh-blockhash.ts';
import { IDENTITY_AGE_MAX_MS } from '../src/chain/upstream/rpc-rollup.ts';
import { Keypair } from '../src/ledger/keypair.ts';
import { VALIDATOR } from '../src/payments/transfer/testing/transfer-scene.ts';
import { systemRandom } from '../src/ports/random.ts';
import { type Fault, FAULTS, hang } from './upstreams/faults.ts';
import type { PlayedNode } from './upstreams/played-node.ts';
import type { Answer, ToolAnswer } from './upstreams/service-client.ts';
import { signBuilt } from './upstreams/sign-built.ts';
import { type Service, startService } from './upstreams/start-service.ts';
import {
  ACCOUNTS,
  BALANCE,
  BLOCKHASH,
  blockhashOf,
  DEPOSIT,
  IDENTITY,
  newBlockhash,
  ROLLUP_PAYMENT,
  TwoNetworks,
} from './upstreams/two-networks.ts';

/** Faults of an upstream: each becomes the named error over MCP and REST, and never a transaction. */

/** By REST and by MCP. */
type Answers = [Answer, ToolAnswer];

let networks: TwoNetworks;

beforeAll(async () => {
  networks = await TwoNetworks.start();
});

afterAll(() => networks.close());

beforeEach(() => networks.forgetCalls());

/** What comes of upstreams that hang takes seconds to come: it is waited for while the other tests run. */
let waiting: Promise<readonly [Answers, Answers, Answers]>;

beforeAll(async () => {
  const hanging = await TwoNetworks.start();
  afterAll(() => hanging.close());
  const service = await hanging.serve('devnet', afterAll);
  const waitFor = (node: PlayedNode, method: string, operation: string, input: object) =>
    node.during(method, hang, () => askBoth(service, operation, input));
  const { mainnet, devnet } = hanging;
  const cluster = 'mainnet';
  waiting = Promise.all([
    waitFor(devnet.base, ACCOUNTS, 'getBalance', BALANCE),
    waitFor(mainnet.rollup, BLOCKHASH, 'transfer', { ...ROLLUP_PAYMENT, cluster }),
    waitFor(mainnet.rollup, IDENTITY, 'deposit', { ...DEPOSIT, cluster }),
  ]);
});

const askBoth = ({ client }: Service, operation: string, input: object): Promise<Answers> =>
  Promise.all([client.rest(operation, input), client.tool(operation, input)]);

function expectFailure([rest, tool]: Answers, status: number, code: string): void {
  expect(rest).toMatchObject({ status, body: { status, code, error: { message: expect.any(String) } } });
  expect(rest.headers.get('content-type')).toBe('application/problem+json');
  expect(tool.result.isError).toBe(true);
  expect(tool.result.structuredContent).toBeUndefined();
  expect(rest.text + tool.text).not.toContain('transactionBase64');
}

describe('an upstream that fails', () => {
  let service: Service;

  beforeAll(async () => {
    service = await networks.serve('devnet', afterAll);
  });

  /** Waits until cached values have expired, on ledgers that have advanced meanwhile. */
  function forget(): void {
    networks.moveOn();
    service.clock.pass(IDENTITY_AGE_MAX_MS + 1);
  }

  const PLACES = [
    ['base', ACCOUNTS, 'deposit', DEPOSIT],
    ['base', BLOCKHASH, 'deposit', DEPOSIT],
    ['rollup', BLOCKHASH, 'transfer', ROLLUP_PAYMENT],
  ] as const;

  describe.each(FAULTS)('and $fault', ({ spoil, status, code }) => {
    it.each(PLACES)('at the %s, for a request of %s by %s', async (ledger, method, operation, input) => {
      const node = networks.devnet[ledger];
      forget();
      const answers = await node.during(method, spoil, () => askBoth(service, operation, input));
      expectFailure(answers, status, code);
      const asked = node.calls.filter((call) => call.method === method);
      expect(asked.length).toBeGreaterThan(0);
      expect(node.calls.every(({ url }) => url === '/')).toBe(true);
    });

    it('at the rollup, when its identity is requested: no validator is guessed, but a given one is used', async () => {
      forget();
      const { rollup } = networks.devnet;
      const [answers, named] = await rollup.during(IDENTITY, spoil, () =>
        Promise.all([
          askBoth(service, 'deposit', DEPOSIT),
          service.client.rest('deposit', { ...DEPOSIT, validator: VALIDATOR }),
        ]),
      );
      expectFailure(answers, 502, 'VALIDATOR_UNRESOLVED');
      expect(answers[0].body['error']).toMatchObject({ details: { reason: code } });
      expect(named).toMatchObject({ status: 200, body: { validator: VALIDATOR } });
    });
  });

  it('and says how long to wait: Retry-After passes it on', async () => {
    const tooOften =
      (seconds: string): Fault =>
      (response) =>
        void response.writeHead(429, { 'retry-after': seconds }).end();
    const ask = () => service.client.rest('getBalance', BALANCE);
    const { base } = networks.devnet;
    const [named, unnamed] = [
      await base.during(ACCOUNTS, tooOften('7'), ask),
      await base.during(ACCOUNTS, tooOften('soon'), ask),
    ];
    expect([named.status, named.headers.get('retry-after')]).toEqual([503, '7']);
    expect([unnamed.status, unnamed.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('is used again as soon as it recovers', async () => {
    forget();
    const { base, rollup } = networks.devnet;
    for (const { spoil } of FAULTS.slice(0, 3)) {
      await base.during(BLOCKHASH, spoil, () => service.client.rest('deposit', DEPOSIT));
    }
    const deposit = await service.client.rest('deposit', DEPOSIT);
    const transfer = await service.client.rest('transfer', ROLLUP_PAYMENT);
    expect([blockhashOf(deposit.body), blockhashOf(transfer.body)]).toEqual([
      base.blockhash,
      rollup.blockhash,
    ]);
  });

  it('and hangs', async () => {
    forget();
    const { base } = networks.devnet;
    expect(await service.client.rest('deposit', DEPOSIT)).toMatchObject({ status: 200 });

    service.clock.pass(STANDSTILL_MS + 1);
    expectFailure(await askBoth(service, 'deposit', DEPOSIT), 502, 'UPSTREAM_INVALID');

    base.blockhash = newBlockhash();
    expect(blockhashOf((await service.client.rest('deposit', DEPOSIT)).body)).toBe(base.blockhash);
  });

  it('and returns a blockhash that is far behind earlier ones', async () => {
    forget();
    const { base } = networks.devnet;
    const height = base.lastValidBlockHeight;
    expect(await service.client.rest('deposit', DEPOSIT)).toMatchObject({ status: 200 });

    base.lastValidBlockHeight = height - LAG_BLOCKS_MAX - 1;
    base.blockhash = newBlockhash();
    service.clock.pass(AGE_MAX_MS + 1);
    expectFailure(await askBoth(service, 'deposit', DEPOSIT), 502, 'UPSTREAM_INVALID');

    base.lastValidBlockHeight = height - LAG_BLOCKS_MAX;
    expect(await service.client.rest('deposit', DEPOSIT)).toMatchObject({ status: 200 });
    base.lastValidBlockHeight = height;
  });

  it.each(FAULTS.slice(0, 4))(
    'and $fault when it receives a transaction: it is sent once, and may have been accepted',
    async (fault) => {
      const { base } = networks.devnet;
      const owner = new Keypair(systemRandom.bytes(32));
      const built = await service.client.rest('transfer', { ...ROLLUP_PAYMENT, from: owner.address });
      const transactionBase64 = signBuilt(built.body['transactionBase64'] as string, owner);
      base.takeMethods();
      const answer = await base.during('sendTransaction', fault.spoil, () =>
        service.client.rest('sendTransaction', { transactionBase64, sendTo: 'base' }),
      );
      const details = { outcome: 'unknown', signature: expect.any(String) };
      expect(answer).toMatchObject({ status: fault.status, body: { code: fault.code, error: { details } } });
      // Blockhashes are kept fresh in the background.
      const sent = base.takeMethods().filter((method) => method !== 'getLatestBlockhash');
      expect(sent).toEqual(['sendTransaction']);
    },
  );
});

describe('an unreachable upstream', () => {
  let gone: string;

  beforeAll(async () => {
    const server = await serveHttp(() => {});
    gone = server.url.href;
    await server.close();
  });

  it('is named in the error by its role, not by its address', async () => {
    const { client } = await startService(
      { CLUSTER: 'devnet', BASE_DEVNET_RPC_URL: gone, EPHEMERAL_DEVNET_RPC_URL: gone },
      onTestFinished,
    );
    const answer = await client.rest('deposit', { ...DEPOSIT, validator: VALIDATOR });
    expect(answer).toMatchObject({
      status: 502,
      body: {
        code: 'UPSTREAM_UNAVAILABLE',
        detail: 'the base ledger of devnet could not be reached; try again',
      },
    });
    expect(answer.text).not.toContain(new URL(gone).host);
  });

  it('is skipped if there is another', async () => {
    const { base, rollup } = networks.devnet;
    const { client } = await startService(
      {
        CLUSTER: 'devnet',
        BASE_DEVNET_RPC_URL: `${gone},${base.url.href}`,
        EPHEMERAL_DEVNET_RPC_URL: rollup.url.href,
      },
      onTestFinished,
    );
    const built = await client.rest('deposit', DEPOSIT);
    expect(blockhashOf(built.body)).toBe(base.blockhash);
  });
});

describe('an upstream that never answers', () => {
  it('makes every request to it time out', async () => {
    const [read, blockhash, identity] = await waiting;
    expectFailure(read, 504, 'UPSTREAM_TIMEOUT');
    expectFailure(blockhash, 504, 'UPSTREAM_TIMEOUT');
    expectFailure(identity, 502, 'VALIDATOR_UNRESOLVED');
  });
});
