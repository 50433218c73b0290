import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import type { SignatureStatus } from '../chain/chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { FINAL_BLOCKS, ROLLUP_FINAL_BLOCKS } from '../chain/final-blocks.ts';
import { type ErrorContext, isServiceError, ServiceError } from '../errors/service-error.ts';
import { Keypair, signTransaction } from '../ledger/keypair.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { HandClock } from '../ledger/testing/hand-clock.ts';
import { advanceNonce } from '../ledger/testing/instructions.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../ledger/testing/test-ledger.ts';
import { LOCALNET_VALIDATOR } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { addressOf } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { compileLegacyMessage } from '../solana/message.ts';
import type { Transaction } from '../solana/transaction.ts';
import { ANONYMOUS } from './operation.ts';
import { createSendTransaction } from './send-transaction.ts';
import { WAIT_MS_MAX } from './send-transaction/submit.ts';

/** The last block height of the transactions here, and one at which they have certainly expired. */
const LAST = 1_000;
const EXPIRED = LAST + FINAL_BLOCKS + 1;

const receiver = addressOf(new Uint8Array(32).fill(9));
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const signatureOf = (transaction: Transaction): string =>
  encodeBase58(transaction.signatures[0] as Uint8Array);

let stack: TestLedger;
let wallet: Keypair;
let clock: HandClock;

beforeAll(async () => {
  stack = await openTestLedger();
  wallet = await stack.fundedWallet();
});

afterAll(() => stack.ledger.close());

beforeEach(() => {
  clock = new HandClock();
});

const gift = (lamports = 5_000_000n): Transaction =>
  buildTransaction(stack.ledger, [wallet], [transferLamports(wallet.address, receiver, lamports)]);

/** Time passes only by waiting. */
const waiting = () => ({ clock, sleep: (ms: number) => Promise.resolve(clock.pass(ms)) });

const local = () => new LedgerChain('localnet', stack.ledger, LOCALNET_VALIDATOR);

async function send(args: object, chain: LedgerChain | MapChain = local(), token?: string) {
  const operation = createSendTransaction({ clusters: new Clusters([chain]), waiting: waiting() });
  const result = await operation.run(
    operation.input.parse({ sendTo: 'base', ...args }),
    token === undefined ? ANONYMOUS : { token },
  );
  return { ...result, output: operation.output.parse(result.output) };
}

async function refusal(args: object, chain?: LedgerChain | MapChain) {
  try {
    await send(args, chain);
  } catch (error) {
    if (isServiceError(error)) {
      return { code: error.code, message: error.message, context: error.context as ErrorContext };
    }
    throw error;
  }
  throw new Error('it was sent');
}

describe('spl.sendTransaction on a running ledger', () => {
  it('sends a signed transaction and waits for it', async () => {
    const transaction = gift();
    const { output, sentences } = await send({ transactionBase64: base64(transaction.wire), confirm: true });
    expect(output).toEqual({
      signature: signatureOf(transaction),
      sendTo: 'base',
      confirmed: true,
      outcome: 'confirmed',
      confirmationRequiresAuthToken: false,
      arrival: { outcome: 'arrived', message: 'It has arrived: all its effects took place when it landed.' },
    });
    expect(sentences[0]).toBe('Sent the signed SPL transaction.');
    expect(stack.ledger.getAccount(receiver)?.lamports).toBe(5_000_000n);
  });

  it('sends a transaction without preflight, which then costs its fee', async () => {
    const tooMuch = gift(2n ** 60n);
    const before = stack.ledger.getAccount(wallet.address)?.lamports ?? 0n;
    await send({ transactionBase64: base64(tooMuch.wire), skipPreflight: true });
    expect(stack.ledger.getAccount(wallet.address)?.lamports).toBe(before - 5_000n);
  });

  it('does not claim a confirmation that it has not waited for', async () => {
    const { output } = await send({ transactionBase64: base64(gift(6_000_000n).wire) });
    expect(output).toMatchObject({ confirmed: false, outcome: 'sent' });
  });

  it('passes on a rejection of the ledger, with its reason', async () => {
    const refused = await refusal({ transactionBase64: base64(gift(50_000_000_000n).wire) });
    expect(refused.code).toBe('TRANSACTION_FAILED');
  });

  it.each<[string, (transaction: Transaction) => Uint8Array, RegExp]>([
    ['a missing signature', ({ wire }) => Uint8Array.from(wire).fill(0, 1, 65), /is missing/],
    ['a wrong signature', ({ wire }) => Uint8Array.from(wire).fill(7, 1, 2), /is wrong/],
    [
      'a message changed after it was signed',
      ({ wire }) => Uint8Array.from(wire).fill(9, wire.length - 1),
      /is wrong/,
    ],
    ['an invalid transaction', () => new Uint8Array(70), /not a Solana transaction/],
    ['bytes after the transaction', ({ wire }) => Uint8Array.from([...wire, 0]), /follow the transaction/],
  ])('rejects %s before it sends anything', async (_, change, words) => {
    const chain = new MapChain();
    const { code, message } = await refusal({ transactionBase64: base64(change(gift())) }, chain);
    expect(code).toBe('INVALID_TRANSACTION');
    expect(message).toMatch(words);
  });

  it('rejects more bytes than a transaction has', async () => {
    const { code } = await refusal({ transactionBase64: base64(new Uint8Array(1_233)) });
    expect(code).toBe('TRANSACTION_TOO_LARGE');
  });

  it('rejects the blockhash of another transaction, and the rollup of a cluster without one', async () => {
    const transactionBase64 = base64(gift().wire);
    expect(await refusal({ transactionBase64, recentBlockhash: receiver })).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      context: { field: 'recentBlockhash' },
    });
    expect(await refusal({ transactionBase64, sendTo: 'ephemeral' })).toMatchObject({
      code: 'UNSUPPORTED_ON_CLUSTER',
    });
  });

  it.each([{}, { sendTo: 'moon' }, { sendTo: 'base', transactionBase64: 5 }, { sendTo: 'base', extra: 1 }])(
    'rejects the arguments %j',
    (args) => {
      const operation = createSendTransaction({ clusters: new Clusters([local()]), waiting: waiting() });
      expect(operation.input.safeParse({ transactionBase64: 'AA==', ...args }).success).toBe(false);
    },
  );

  it('reports the outcome of a transaction that has landed before (bug: a retry was reported as failed)', async () => {
    const transaction = gift(7_654_321n);
    const held = stack.ledger.getAccount(receiver)?.lamports ?? 0n;
    const args = { transactionBase64: base64(transaction.wire) };
    await send(args);
    const { output } = await send(args);
    expect(output).toMatchObject({
      signature: signatureOf(transaction),
      confirmed: true,
      outcome: 'confirmed',
    });
    expect(stack.ledger.getAccount(receiver)?.lamports).toBe(held + 7_654_321n);
  });

  it('notes that the ledger had it before (bug: two payments with the same bytes both counted as landed)', async () => {
    const args = { transactionBase64: base64(gift(1_234_567n).wire), confirm: true };
    const first = await send(args);
    const again = await send(args);
    expect(first.output).not.toHaveProperty('notes');
    expect(again.output.notes).toEqual([expect.stringContaining('nothing was moved again')]);
    expect(again.sentences.slice(2)).toEqual(again.output.notes);
  });

  it('draws no conclusion from an unknown blockhash without its last block height (bug: it was called expired)', async () => {
    const message = compileLegacyMessage({
      feePayer: wallet.address,
      blockhash: new Uint8Array(32).fill(3),
      instructions: [transferLamports(wallet.address, receiver, 1n)],
    });
    const { wire } = signTransaction(message, [wallet]);
    expect(await refusal({ transactionBase64: base64(wire), confirm: true })).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringContaining('with lastValidBlockHeight'),
      context: { outcome: 'unknown' },
    });
  });
});

describe('spl.sendTransaction when the ledger', () => {
  let chain: MapChain;
  let sent: number;
  let transaction: Transaction;
  let args: object;

  beforeEach(() => {
    sent = 0;
    chain = new MapChain();
    transaction = gift();
    args = { transactionBase64: base64(transaction.wire), confirm: true, lastValidBlockHeight: LAST };
    chain.sendTransaction = (() => {
      sent++;
      return Promise.resolve(signatureOf(transaction));
    }) as never;
  });

  const statuses = (...answers: (SignatureStatus | null | ServiceError)[]): void => {
    chain.signatureStatus = (() => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof ServiceError ? Promise.reject(answer) : Promise.resolve(answer);
    }) as never;
  };

  const late = new ServiceError('UPSTREAM_TIMEOUT', 'The base ledger of mainnet did not answer in time');

  it.each(['UPSTREAM_TIMEOUT', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_INVALID'] as const)(
    'fails with %s, says that the outcome is open, names the signature and does not send again',
    async (code) => {
      chain.sendTransaction = () => {
        sent++;
        return Promise.reject(new ServiceError(code, 'no answer'));
      };
      const refused = await refusal(args, chain);
      expect(refused).toMatchObject({
        code,
        context: { signature: signatureOf(transaction), outcome: 'unknown' },
      });
      expect(refused.message).toContain('may or may not have been accepted');
      expect(sent).toBe(1);
    },
  );

  it('returns another signature, treats the response as unusable', async () => {
    chain.sendTransaction = (() => Promise.resolve('1'.repeat(64))) as never;
    expect(await refusal(args, chain)).toMatchObject({ code: 'UPSTREAM_INVALID' });
  });

  it('rejects it for certain, passes the error on', async () => {
    chain.sendTransaction = () => Promise.reject(new ServiceError('UPSTREAM_RATE_LIMITED', 'slow down'));
    expect(await refusal(args, chain)).toMatchObject({ code: 'UPSTREAM_RATE_LIMITED', message: 'slow down' });
  });

  it('shows it after a while, waits for it', async () => {
    statuses(null, late, null, { slot: 5, err: null });
    const { output } = await send(args, chain);
    expect(output).toMatchObject({ confirmed: true, outcome: 'confirmed' });
    expect(sent).toBe(1);
  });

  it('has passed the last valid block height, reports that it can no longer land', async () => {
    statuses(null);
    chain.blockHeight = () => Promise.resolve(EXPIRED);
    expect((await send(args, chain)).output).toMatchObject({ confirmed: false, outcome: 'expired' });
  });

  it('shows it only at a node that is ahead, does not call it expired (bug: the payer paid twice)', async () => {
    statuses(null, null, null, { slot: 5, err: null });
    chain.blockHeight = () => Promise.resolve(1_005);
    expect((await send(args, chain)).output.outcome).toBe('confirmed');
  });

  it('does not know its blockhash before it can have expired, draws no conclusion (bug: the payer paid twice)', async () => {
    statuses(null);
    const refused = new ServiceError('TRANSACTION_FAILED', 'no blockhash', { reason: 'BlockhashNotFound' });
    chain.sendTransaction = () => Promise.reject(refused);
    for (const height of [900, EXPIRED - 1]) {
      chain.blockHeight = () => Promise.resolve(height);
      expect(await refusal(args, chain)).toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
        context: { outcome: 'unknown' },
      });
    }
    chain.blockHeight = () => Promise.resolve(EXPIRED);
    expect((await refusal(args, chain)).code).toBe('TRANSACTION_EXPIRED');
  });

  it('executes it between the two reads, does not call it expired', async () => {
    statuses(null, { slot: 5, err: null });
    chain.blockHeight = () => Promise.resolve(EXPIRED);
    expect((await send(args, chain)).output.outcome).toBe('confirmed');
  });

  it('never shows it, gives up without a verdict', async () => {
    statuses(null);
    const begun = clock.now();
    const { output, sentences } = await send({ ...args, lastValidBlockHeight: undefined }, chain);
    expect(output).toMatchObject({ confirmed: false, outcome: 'sent' });
    expect(sentences[1]).toContain('Look up the signature');
    expect(clock.now() - begun).toBeLessThanOrEqual(WAIT_MS_MAX);
    expect(sent).toBe(1);
  });

  it('reports that it landed and failed, gives the reason', async () => {
    statuses({ slot: 5, err: { InstructionError: [0, { Custom: 1 }] } });
    expect(await refusal(args, chain)).toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: expect.stringContaining('there are too few lamports'),
      context: { signature: signatureOf(transaction), slot: 5 },
    });
  });

  it('hides a landed transaction from a caller without a token, draws no conclusion (bug: it was called expired)', async () => {
    chain.rollup = Object.assign(new MapRollup(), { hidesStatuses: true });
    chain.rollup.sendTransaction = () => Promise.resolve(signatureOf(transaction));
    let height = LAST + ROLLUP_FINAL_BLOCKS;
    chain.rollup.blockHeight = () => Promise.resolve(height);
    const input = { ...args, sendTo: 'ephemeral' };
    // A rollup node that is 12 s behind has many blocks to catch up on.
    expect((await send(input, chain, 'a-token')).output).toMatchObject({ outcome: 'sent' });
    height += 1;
    expect((await send(input, chain)).output).toMatchObject({ outcome: 'sent' });
    expect((await send(input, chain, 'a-token')).output).toMatchObject({ outcome: 'expired' });

    const context = { reason: 'BlockhashNotFound' };
    const refused = new ServiceError('TRANSACTION_FAILED', 'Blockhash not found', context);
    chain.rollup.sendTransaction = () => Promise.reject(refused);
    expect(await refusal(input, chain)).toMatchObject({
      code: 'MISSING_AUTH_TOKEN',
      context: { outcome: 'unknown' },
    });
    await expect(send(input, chain, 'a-token')).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
  });

  it('gets one on a durable nonce, never says that it can no longer land (bug: it landed a slot later)', async () => {
    const instructions = [
      advanceNonce(receiver, wallet.address),
      transferLamports(wallet.address, receiver, 1n),
    ];
    transaction = buildTransaction(stack.ledger, [wallet], instructions);
    const input = { ...args, transactionBase64: base64(transaction.wire) };
    chain.blockHeight = () => Promise.resolve(EXPIRED);
    expect((await send(input, chain)).output.outcome).toBe('sent');
    const refused = new ServiceError('TRANSACTION_FAILED', 'no blockhash', { reason: 'BlockhashNotFound' });
    chain.sendTransaction = () => Promise.reject(refused);
    await expect(send(input, chain)).rejects.toBe(refused);
  });

  it('skips its preflight, is passed that and the number of retries', async () => {
    const options: unknown[] = [];
    chain.sendTransaction = ((_wire: Uint8Array, _token: unknown, given: unknown) => {
      options.push(given);
      return Promise.resolve(signatureOf(transaction));
    }) as never;
    await send({ ...args, confirm: false, skipPreflight: true, maxRetries: 0 }, chain);
    expect(options).toEqual([{ skipPreflight: true, maxRetries: 0 }]);
  });

  it('is named by the caller, receives it without a token if the operator allows the host', async () => {
    const rollup = new MapRollup();
    chain.rollup = rollup;
    const atRollup: unknown[] = [];
    const atNamed: unknown[] = [];
    const takeFor = (list: unknown[]) => (_: Uint8Array, token?: string) => {
      list.push(token);
      return Promise.resolve(signatureOf(transaction));
    };
    rollup.sendTransaction = takeFor(atRollup);
    const named = new MapChain();
    named.sendTransaction = takeFor(atNamed);
    const resolve = (url: string): MapChain => {
      if (url === 'https://allowed.example') return named;
      throw new ServiceError('CLUSTER_NOT_ALLOWED', 'not allowed');
    };
    const clusters = new Clusters([chain], { custom: { resolve } });
    const operation = createSendTransaction({ clusters, waiting: waiting() });
    const notesOf = async (sendRpcEndpoint: string) => {
      const input = { ...args, confirm: false, sendTo: 'ephemeral', sendRpcEndpoint };
      return (await operation.run(operation.input.parse(input), { token: 'a-token' })).output.notes;
    };
    expect(await notesOf('https://allowed.example')).toBeUndefined();
    expect(await notesOf('https://rollup.example')).toBeUndefined();
    expect(await notesOf('https://rollup.example/')).toBeUndefined();
    for (const url of ['https://elsewhere.example', 'no URL', 'localnet']) {
      expect(await notesOf(url)).toEqual([expect.stringContaining('sendRpcEndpoint was ignored')]);
    }
    expect(atNamed).toEqual([undefined]);
    expect(atRollup).toEqual(Array.from({ length: 5 }, () => 'a-token'));
  });

  it('is named by the caller, is not trusted about landing (bug: it was called expired)', async () => {
    const named = new MapChain();
    named.sendTransaction = () => Promise.resolve(signatureOf(transaction));
    named.blockHeight = () => Promise.resolve(900_000_000);
    const clusters = new Clusters([chain], { custom: { resolve: () => named } });
    const operation = createSendTransaction({ clusters, waiting: waiting() });
    const run = async () => {
      const input = { ...args, sendTo: 'base', sendRpcEndpoint: 'https://named.example' };
      return (await operation.run(operation.input.parse(input), ANONYMOUS)).output.outcome;
    };
    expect(await run()).toBe('sent');
    named.signatureStatus = (() => Promise.resolve({ slot: 5, err: null })) as never;
    expect(await run()).toBe('sent');
    statuses({ slot: 5, err: null });
    expect(await run()).toBe('confirmed');

    statuses(null);
    const context = { reason: 'BlockhashNotFound' };
    const refused = new ServiceError('TRANSACTION_FAILED', 'Blockhash not found', context);
    named.sendTransaction = () => Promise.reject(refused);
    await expect(run()).rejects.toBe(refused);
    statuses({ slot: 5, err: null });
    expect(await run()).toBe('confirmed');
  });

  it('is the rollup, passes the token on and says where to look up the signature', async () => {
    const rollup = new MapRollup();
    const tokens: unknown[] = [];
    rollup.sendTransaction = ((_: Uint8Array, token?: string) => {
      tokens.push(token);
      return Promise.resolve(signatureOf(transaction));
    }) as never;
    chain.rollup = rollup;
    const input = { ...args, confirm: false, sendTo: 'ephemeral' };
    const { output } = await send(input, chain, 'secret-token');
    expect(output).toMatchObject({
      confirmationRpcEndpoint: 'https://rollup.example',
      confirmationRequiresAuthToken: false,
    });
    rollup.publicUrl = null;
    expect((await send(input, chain, 'secret-token')).output).not.toHaveProperty('confirmationRpcEndpoint');
    expect(tokens).toEqual(['secret-token', 'secret-token']);
    expect(JSON.stringify(output)).not.toContain('secret-token');
  });
});
