import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { REFRESH_MS } from '../src/chain/upstream/fresh-blockhash.ts';
import { Keypair } from '../src/ledger/keypair.ts';
import { FROM } from '../src/payments/transfer/testing/transfer-scene.ts';
import { systemRandom } from '../src/ports/random.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { BASE_TOKENS, ROLLUP_TOKENS } from './upstreams/played-network.ts';
import { signBuilt } from './upstreams/sign-built.ts';
import {
  ACCOUNTS,
  BALANCE,
  BLOCKHASH,
  blockhashOf,
  DEPOSIT,
  IDENTITY,
  PAYMENT,
  PUBLIC_PAYMENT,
  ROLLUP_PAYMENT,
  TwoNetworks,
} from './upstreams/two-networks.ts';

/** The network clusters over real sockets: which RPC receives which requests, and how often. */

const TOKEN = { authorization: 'Bearer for-the-rollup' };

/**
 * What is read of the base ledger: once for the mint, the first time it is seen, and once for everything
 * else.
 */
const COLD_READS = [ACCOUNTS, ACCOUNTS];

const FOR_BASE = {
  sendTo: 'base',
  // In any order: the blockhash is requested together with the reads.
  ofBase: [BLOCKHASH, ...COLD_READS],
  ofRollup: [IDENTITY],
  ofRollupAgain: [] as string[],
};
const FOR_ROLLUP = { ...FOR_BASE, sendTo: 'ephemeral', ofBase: COLD_READS, ofRollup: [IDENTITY, BLOCKHASH] };

/** The balance that a payment takes from, which may differ each time. */
const WITH_BALANCE = { ofRollup: [IDENTITY, ACCOUNTS, BLOCKHASH], ofRollupAgain: [ACCOUNTS] };

/**
 * Each build, where its transaction goes, what it asks of base and rollup the first time, and what of the
 * rollup each time.
 */
const BUILDS = [
  { build: 'a deposit', operation: 'deposit', args: DEPOSIT, ...FOR_BASE },
  {
    build: 'a withdrawal',
    operation: 'withdraw',
    args: DEPOSIT,
    ...FOR_BASE,
    // The balance that it takes from, which may be another each time.
    ofRollup: [IDENTITY, ACCOUNTS],
    ofRollupAgain: [ACCOUNTS],
  },
  { build: 'a public transfer', operation: 'transfer', args: PUBLIC_PAYMENT, ...FOR_BASE },
  {
    build: 'a private transfer',
    operation: 'transfer',
    args: PAYMENT,
    ...FOR_BASE,
    ofRollup: [IDENTITY, ACCOUNTS],
  },
  {
    build: 'a transfer to the rollup',
    operation: 'transfer',
    args: { ...PAYMENT, toBalance: 'ephemeral' },
    ...FOR_BASE,
  },
  {
    build: 'a transfer on the rollup',
    operation: 'transfer',
    args: { ...ROLLUP_PAYMENT, visibility: 'private' },
    ...FOR_ROLLUP,
    ...WITH_BALANCE,
  },
  {
    build: 'a public transfer on the rollup',
    operation: 'transfer',
    args: ROLLUP_PAYMENT,
    ...FOR_ROLLUP,
    ...WITH_BALANCE,
  },
  {
    build: 'a transfer from the rollup',
    operation: 'transfer',
    args: { ...PAYMENT, fromBalance: 'ephemeral' },
    ...FOR_ROLLUP,
    ofRollup: [IDENTITY, ACCOUNTS, ACCOUNTS, BLOCKHASH],
    ofRollupAgain: [ACCOUNTS],
  },
  {
    build: 'an undelegation',
    operation: 'undelegate',
    args: { payer: FROM, mint: USDC_MINT },
    ...FOR_ROLLUP,
    // Both are read in one turn, and share a call.
    ofBase: [ACCOUNTS],
  },
];

let networks: TwoNetworks;

beforeAll(async () => {
  networks = await TwoNetworks.start();
});

afterAll(() => networks.close());

beforeEach(() => networks.forgetCalls());

describe.each(['mainnet', 'devnet'] as const)('on %s', (name) => {
  const other = name === 'mainnet' ? 'devnet' : 'mainnet';

  it.each(BUILDS)(
    '$build is built for $sendTo, the second time without reading the accounts of base again',
    async ({ operation, args, sendTo, ofBase, ofRollup, ofRollupAgain }) => {
      const { base, rollup } = networks[name];
      const { client } = await networks.serve(other, onTestFinished);
      const input = { ...args, cluster: name };

      const cold = await client.rest(operation, input, TOKEN);
      const coldAt = performance.now();
      expect(cold).toMatchObject({ status: 200, body: { sendTo } });
      expect(base.calls.every(({ url }) => url === '/')).toBe(true);
      expect(base.takeMethods().toSorted()).toEqual(ofBase.toSorted());
      expect(rollup.takeMethods()).toEqual(ofRollup);

      const warm = await client.tool(operation, input, TOKEN);
      const refreshes = Math.floor((performance.now() - coldAt) / REFRESH_MS);
      expect(warm.result.isError).not.toBe(true);
      expect(withoutBackground(base.takeMethods(), refreshes)).toEqual([ACCOUNTS]);
      expect(withoutBackground(rollup.takeMethods(), refreshes)).toEqual(ofRollupAgain);

      const { blockhash } = sendTo === 'base' ? base : rollup;
      expect(blockhashOf(cold.body)).toBe(blockhash);
      expect(blockhashOf(warm.result.structuredContent ?? {})).toBe(blockhash);
      expect(cold.body['sendRpcEndpoint']).toBe(sendTo === 'base' ? undefined : rollup.url.origin);
      expect([...networks[other].base.calls, ...networks[other].rollup.calls]).toEqual([]);
    },
  );

  it('requests the balance from base, and the private balance from the rollup with the token of the caller', async () => {
    const { base, rollup } = networks[name];
    const { client } = await networks.serve(other, onTestFinished);
    const input = { ...BALANCE, cluster: name };

    const balance = await client.rest('getBalance', input, TOKEN);
    expect(balance.body).toMatchObject({ location: 'base', balance: `${BASE_TOKENS}` });
    expect(base.takeMethods()).toEqual(COLD_READS);
    expect(rollup.takeMethods()).toEqual([]);

    const secret = await client.rest('getPrivateBalance', input, TOKEN);
    expect(secret.body).toMatchObject({ location: 'ephemeral', balance: `${ROLLUP_TOKENS}` });
    expect(rollup.calls.map(({ method, url }) => [method, url])).toEqual([
      [ACCOUNTS, '/?token=for-the-rollup'],
      [IDENTITY, '/'],
    ]);
    expect(base.calls.map(({ method, url }) => [method, url])).toEqual([[ACCOUNTS, '/']]);
    expect([...networks[other].base.calls, ...networks[other].rollup.calls]).toEqual([]);
  });
});

describe('callers with their own tokens', () => {
  it('share one read of the blockhash of base, which needs no token', async () => {
    const { base } = networks.devnet;
    const { client } = await networks.serve('devnet', onTestFinished);
    const answers = await Promise.all(
      ['first', 'second', 'third'].map((token) =>
        client.rest('transfer', PUBLIC_PAYMENT, { authorization: `Bearer ${token}` }),
      ),
    );
    expect(answers.map(({ body }) => blockhashOf(body))).toEqual(answers.map(() => base.blockhash));
    expect(base.takeMethods().filter((method) => method === BLOCKHASH)).toEqual([BLOCKHASH]);
  });
});

describe('sending a transaction', () => {
  it('uses the named ledger, with the token for the rollup', async () => {
    const { base, rollup } = networks.devnet;
    const { client } = await networks.serve('devnet', onTestFinished);
    const owner = new Keypair(systemRandom.bytes(32));
    const built = await client.rest('transfer', { ...ROLLUP_PAYMENT, from: owner.address });
    const transactionBase64 = signBuilt(built.body['transactionBase64'] as string, owner);
    networks.forgetCalls();
    for (const sendTo of ['base', 'ephemeral']) {
      const answer = await client.rest('sendTransaction', { transactionBase64, sendTo }, TOKEN);
      expect(answer).toMatchObject({ status: 200, body: { sendTo, outcome: 'sent' } });
    }
    const params = [transactionBase64, { encoding: 'base64', preflightCommitment: 'confirmed' }];
    expect(base.calls).toMatchObject([{ method: 'sendTransaction', url: '/', params }]);
    expect(rollup.calls).toMatchObject([
      { method: 'sendTransaction', url: '/?token=for-the-rollup', params },
    ]);
  });
});

/**
 * On a machine that stood still meanwhile the blockhash may have been kept fresh, as often as its time had
 * come.
 */
function withoutBackground(methods: string[], refreshes: number): string[] {
  const rest = [...methods];
  for (let refresh = 0; refresh < refreshes && rest.includes(BLOCKHASH); refresh++) {
    rest.splice(rest.indexOf(BLOCKHASH), 1);
  }
  return rest;
}
