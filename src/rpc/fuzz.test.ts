import * as fc from 'fast-check';
import { lengthOf } from '../../test/length.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { Dispatcher } from './dispatcher.ts';
import { LEDGER_METHODS } from './methods/method-table.ts';
import { dispatcherOn } from './testing/call-method.ts';
import { sendRequest } from './testing/send-request.ts';
import { startTestNode, type TestNode } from './testing/test-node.ts';
import { addressFilledWith } from './testing/transactions.ts';

/**
 * Goal: no request makes the node throw, hang, omit a required response, or report an internal error.
 * Method: bodies from random to almost valid are sent to the real ledger, for a limited time per property.
 */
const PROPERTY_MS = lengthOf({ short: 200, long: 5_000 });
vi.setConfig({ testTimeout: PROPERTY_MS + 300_000 });

/** With fewer runs a property would hardly be tried. */
const RUNS_MIN = 100;

/** Tries `holds` on many values for {@link PROPERTY_MS}, and on a busy machine for longer. */
async function tryMany<T>(values: fc.Arbitrary<T>, holds: (value: T) => Promise<void>): Promise<void> {
  const property = fc.asyncProperty(values, holds);
  const end = performance.now() + PROPERTY_MS;
  do await fc.assert(property, { numRuns: RUNS_MIN });
  while (performance.now() < end);
}

/** Every code the methods of a node of one's own can answer with; -32603 is not among them. */
const CODES = new Set([
  -32700, -32600, -32601, -32602, -32001, -32002, -32004, -32005, -32007, -32008, -32015, -32016, -32020,
]);

let node: TestNode;
let dispatch: Dispatcher;
let wire: Buffer;
let seeds: readonly string[];
/** One call of each method that has parameters, all of them valid. */
let validCalls: readonly string[];

beforeAll(async () => {
  node = await startTestNode();
  dispatch = dispatcherOn(node.ledger);
  const alice = await node.fundedWallet();
  const signature = await node.ask<string>('requestTokenAirdrop', alice.address, USDC_MINT, 5);
  const transfer = transferLamports(alice.address, addressFilledWith(8), 900_000n);
  wire = Buffer.from(buildTransaction(node.ledger, [alice], [transfer]).wire);
  seeds = [
    alice.address,
    USDC_MINT,
    deriveAta(alice.address, USDC_MINT, TOKEN_PROGRAM).address,
    signature,
    node.ledger.head().blockhash,
    wire.toString('base64'),
    encodeBase58(wire),
    'json',
    'jsonParsed',
    'base64',
    'base64+zstd',
    'processed',
  ];
  const [owner, mint, account, , blockhash, transaction] = seeds;
  const { slot } = node.ledger.head();
  const message = wire.subarray(65).toString('base64');
  const calls: Record<string, unknown[]> = {
    getAccountInfo: [account, { encoding: 'jsonParsed', dataSlice: { offset: 1, length: 2 } }],
    getBalance: [owner, { commitment: 'confirmed', minContextSlot: 1 }],
    getBlock: [slot, { encoding: 'jsonParsed', transactionDetails: 'accounts', rewards: false }],
    getBlockProduction: [{ range: { firstSlot: slot, lastSlot: slot } }],
    getBlockTime: [slot],
    getBlocks: [slot, slot, { commitment: 'confirmed' }],
    getBlocksWithLimit: [slot, 5, { commitment: 'confirmed' }],
    getFeeForMessage: [message, { commitment: 'confirmed' }],
    getInflationReward: [[owner], { epoch: 0 }],
    getLatestBlockhash: [{ commitment: 'confirmed' }],
    getMinimumBalanceForRentExemption: [165, { commitment: 'confirmed' }],
    getMultipleAccounts: [[owner, account], { encoding: 'base64', dataSlice: { offset: 1, length: 2 } }],
    getProgramAccounts: [
      TOKEN_PROGRAM,
      { filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint } }], withContext: true },
    ],
    getRecentPrioritizationFees: [[owner, account]],
    getSignaturesForAddress: [owner, { before: signature, until: signature, limit: 5 }],
    getSlotLeaders: [slot, 5],
    getTokenAccountsByOwner: [owner, { mint }, { encoding: 'jsonParsed' }],
    getSignatureStatuses: [[signature], { searchTransactionHistory: true }],
    getTokenAccountBalance: [account],
    getTokenLargestAccounts: [mint, { commitment: 'confirmed' }],
    getTransaction: [signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }],
    isBlockhashValid: [blockhash],
    requestAirdrop: [owner, 5],
    requestTokenAirdrop: [owner, mint, '5'],
    sendTransaction: [transaction, { encoding: 'base64', skipPreflight: false, maxRetries: 3 }],
    simulateTransaction: [
      transaction,
      { encoding: 'base64', sigVerify: true, innerInstructions: true, accounts: { addresses: [account] } },
    ],
  };
  validCalls = Object.entries(calls).map(([method, params]) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  );
});

afterAll(() => node.close());

/** Checks one answer of JSON-RPC, or a batch of them. */
function expectAnswer(text: string): void {
  if (text === '') return;
  const parsed = JSON.parse(text) as object | object[];
  for (const answer of Array.isArray(parsed) ? parsed : [parsed]) {
    expect('result' in answer !== 'error' in answer, text).toBe(true);
    expect('id' in answer, text).toBe(true);
    if (!('error' in answer)) continue;
    const error = answer.error as { code: number; message: unknown };
    expect(CODES.has(error.code), text).toBe(true);
    expect(typeof error.message).toBe('string');
  }
}

const MEMBER_NAMES = [
  'commitment',
  'encoding',
  'minContextSlot',
  'sigVerify',
  'replaceRecentBlockhash',
  'accounts',
  'addresses',
  'innerInstructions',
  'maxSupportedTransactionVersion',
  'skipPreflight',
  'dataSlice',
  'offset',
  'length',
  'searchTransactionHistory',
  'before',
  'until',
  'limit',
  'transactionDetails',
  'rewards',
  'epoch',
  'identity',
  'range',
  'firstSlot',
  'lastSlot',
  'filters',
  'memcmp',
  'bytes',
  'dataSize',
  'withContext',
];

const NUMBER_TOKENS = [
  '0',
  '-1',
  '-0',
  '1.0',
  '1e3',
  '1e400',
  '64',
  '18446744073709551615',
  '18446744073709551616',
];

/**
 * JSON texts that look like parameters: real keys, encodings and options in the right and in the wrong
 * places.
 */
const paramText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.nat(11).map((index) => JSON.stringify(seeds[index])),
    fc.constantFrom('null', 'true', 'false', '""', '"bogus"', ...NUMBER_TOKENS),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...MEMBER_NAMES), tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
  ),
})).value;

const methodName = fc.constantFrom(...LEDGER_METHODS.map(({ name }) => name), 'nope');

const callText = fc
  .tuple(methodName, fc.array(paramText, { maxLength: 4 }), fc.constantFrom('1', '"a"', 'null', '-1', '{}'))
  .map(
    ([method, params, id]) =>
      `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[${params.join(',')}]}`,
  );

/** `text` with a few characters taken out, put in or doubled. */
const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...'{}[]",:0e.\\u-1ntfé\u0000')), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([text, edits]) =>
      edits.reduce((current, [place, kind, character]) => {
        const at = place % (current.length + 1);
        if (kind === 0) return current.slice(0, at) + current.slice(at + 1);
        if (kind === 1) return current.slice(0, at) + character + current.slice(at);
        if (kind === 2) return current.slice(0, at) + current.slice(at - (at % 7));
        return current.slice(0, at) + character + current.slice(at + 1);
      }, text),
    );

const validCall = fc.nat().map((index) => validCalls[index % validCalls.length] as string);

describe('any input', () => {
  it.each<[string, fc.Arbitrary<string>]>([
    ['calls with parameters of all kinds', callText],
    ['damaged calls', mutated(callText)],
    ['valid calls with damage', mutated(validCall)],
    ['batches of calls', fc.array(callText, { maxLength: 4 }).map((calls) => `[${calls.join(',')}]`)],
    ['JSON of any shape', fc.json({ maxDepth: 4 })],
    ['any text', fc.string({ unit: 'binary', maxLength: 60 })],
  ])('%s get a response in JSON-RPC form', async (_, bodies) => {
    await tryMany(bodies, async (body) => expectAnswer(await dispatch(body)));
  });

  it('transactions with any of their bytes changed get a response', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const cases = fc.tuple(changes, fc.nat(), fc.boolean());
    await tryMany(cases, async ([edits, cut, sends]) => {
      const spoiled = Buffer.from(wire.subarray(0, wire.length - (cut % 20 === 0 ? 1 : 0)));
      for (const [place, byte] of edits) spoiled[place % spoiled.length] = byte;
      const config = sends
        ? { encoding: 'base64', skipPreflight: true }
        : { encoding: 'base64', innerInstructions: true, replaceRecentBlockhash: true };
      const method = sends ? 'sendTransaction' : 'simulateTransaction';
      const params = [spoiled.toString('base64'), config];
      expectAnswer(await dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
    });
  });

  it('arbitrary bytes over HTTP get a documented status', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.tuple(callText, fc.nat(), fc.nat(255)).map(([text, place, byte]) => {
        const spoiled = Buffer.from(text);
        spoiled[place % spoiled.length] = byte;
        return spoiled;
      }),
    );
    await tryMany(bytes, async (body) => {
      const answer = await sendRequest(node.url, { body });
      if (answer.status === 200) expectAnswer(answer.body);
      else {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatch(/^utf-8 encoding error at byte \d+ in request body$/);
      }
    });
  });
});
