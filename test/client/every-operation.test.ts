import {
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  signTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { createPrivatePayments, type CallOptions, type PrivatePayments } from '../../src/client/index.ts';
import { NATIVE_MINT, USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from './running-app.ts';

const mint = USDC_MINT as string;

let app: RunningApp;
let alice: KeyPairSigner;
let client: PrivatePayments;

beforeAll(async () => {
  app = await runApp();
  alice = await app.wallet();
  client = createPrivatePayments({ url: app.serviceUrl });
});
afterAll(() => app.close());

async function signed(transactionBase64: string): Promise<string> {
  const unsigned = getTransactionDecoder().decode(Buffer.from(transactionBase64, 'base64'));
  return getBase64EncodedWireTransaction(await signTransaction([alice.keyPair], unsigned as never));
}

async function logIn(): Promise<string> {
  const { challenge } = await client.challenge({ pubkey: alice.address });
  const [signatures] = await alice.signMessages([
    { content: new TextEncoder().encode(challenge), signatures: {} },
  ]);
  const signature = getBase58Decoder().decode(signatures?.[alice.address] ?? new Uint8Array());
  return (await client.login({ pubkey: alice.address, challenge, signature })).token;
}

/** What a localnet of layout A answers to each operation. The compiler misses one that is left out. */
const CALLS: Record<keyof PrivatePayments, () => Promise<unknown>> = {
  deposit: async () => {
    const built = await client.deposit({ owner: alice.address, amount: 3_000_000n, simulate: true });
    expect(built.simulation?.balanceChanges.every(({ change }) => typeof change === 'bigint')).toBe(true);
    return built;
  },
  explainTransaction: async () => {
    const args = { owner: alice.address, amount: 3_000_000n };
    const { transactionBase64 } = await client.deposit(args);
    const explained = await client.explainTransaction({
      transactionBase64,
      wallet: alice.address,
      request: { operation: 'deposit', arguments: args },
    });
    expect(explained.request?.satisfied).toBe('yes');
    expect(explained.wallet?.tokens[0]?.change).toBe(-3_000_000n);
    return explained;
  },
  sendTransaction: async () => {
    const { transactionBase64, sendTo } = await client.deposit({ owner: alice.address, amount: 3_000_000n });
    const sent = await client.sendTransaction({
      transactionBase64: await signed(transactionBase64),
      sendTo,
      confirm: true,
    });
    expect(sent.outcome).toBe('confirmed');
    return sent;
  },
  getBalance: async () => {
    const { balance } = await client.getBalance({ address: alice.address, mint });
    expect(balance).toBe(7_000_000n);
  },
  challenge: () => client.challenge({ pubkey: alice.address }),
  login: logIn,
  getPrivateBalance: async () => {
    const options: CallOptions = { token: await logIn() };
    const { balance } = await client.getPrivateBalance({ address: alice.address, mint }, options);
    expect(balance).toBe(3_000_000n);
  },
  transfer: async () => {
    const bob = await app.wallet();
    const built = await client.transfer({
      from: alice.address,
      to: bob.address,
      mint,
      amount: 1n,
      visibility: 'public',
    });
    expect(built.fees).toEqual({ lamports: 0n, tokens: 0n });
  },
  undelegate: () => client.undelegate({ payer: alice.address, mint }),
  withdraw: () => client.withdraw({ owner: alice.address, mint, amount: 1n }),
  swapQuote: async () => {
    const sol = NATIVE_MINT as string;
    const quote = await client.swapQuote({ inputMint: sol, outputMint: mint, amount: 1_000_000_000n });
    expect(quote).toMatchObject({ outAmount: '100000000' });
  },
  swap: async () => {
    const quoteResponse = await client.swapQuote({
      inputMint: mint,
      outputMint: NATIVE_MINT as string,
      amount: 9n,
    });
    const built = await client.swap({ userPublicKey: alice.address, quoteResponse });
    expect(built.requiredSigners).toEqual([alice.address]);
  },
  initializeMint: () => client.initializeMint({ payer: alice.address, mint }),
  isMintInitialized: () => client.isMintInitialized({ mint }),
  createStealthPool: () =>
    client.createStealthPool({
      payer: alice.address,
      authority: alice.address,
      handle: 'alice',
      destinations: [alice.address],
    }),
  getStealthPool: () => client.getStealthPool({ handle: 'alice' }),
  recoverShuttles: () => client.recoverShuttles({ payer: alice.address }),
  createLookupTable: () => client.createLookupTable({ payer: alice.address }),
  ensureTransferQueueCrank: () => client.ensureTransferQueueCrank({ mint }),
};

/** Operations that layout A lacks, and operations that need earlier ones. */
const REFUSED: Partial<Record<keyof PrivatePayments, string>> = {
  initializeMint: 'UNSUPPORTED_ON_CLUSTER',
  isMintInitialized: 'UNSUPPORTED_ON_CLUSTER',
  createStealthPool: 'UNSUPPORTED_ON_CLUSTER',
  getStealthPool: 'UNSUPPORTED_ON_CLUSTER',
  recoverShuttles: 'UNSUPPORTED_ON_CLUSTER',
  createLookupTable: 'UNSUPPORTED_ON_CLUSTER',
  ensureTransferQueueCrank: 'UNSUPPORTED_ON_CLUSTER',
  withdraw: 'EATA_ALREADY_DELEGATED',
};

describe('a client of a running stack', () => {
  it.each(Object.entries(CALLS))('calls %s', async (name, call) => {
    const code = REFUSED[name as keyof PrivatePayments];
    if (code === undefined) await call();
    else await expect(call()).rejects.toMatchObject({ name: 'PaymentsError', code, serviceCode: code });
  });

  it('receives the name of the wrong field and the fix', async () => {
    await expect(client.deposit({ owner: 'nobody', amount: 1n })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      status: 422,
      fields: [{ pointer: '#/owner', message: expect.stringContaining('base58') }],
      requestId: expect.any(String),
    });
  });

  it('fails if the service is not running', async () => {
    const gone = createPrivatePayments({ url: 'http://127.0.0.1:9', maxRetries: 0 });
    await expect(gone.getBalance({ address: alice.address, mint })).rejects.toMatchObject({
      code: 'NETWORK',
    });
  });

  it('has exact types', () => {
    type Answer<Name extends keyof PrivatePayments> = Awaited<ReturnType<PrivatePayments[Name]>>;
    expectTypeOf<Answer<'getBalance'>['balance']>().toEqualTypeOf<bigint>();
    expectTypeOf<Answer<'deposit'>['kind']>().toEqualTypeOf<'deposit'>();
    expectTypeOf<Answer<'transfer'>['fees']['tokens']>().toEqualTypeOf<bigint>();
    expectTypeOf<Parameters<PrivatePayments['deposit']>[0]['amount']>().toEqualTypeOf<
      bigint | number | string
    >();
  });
});
