import { describe, expect, it } from 'vitest';
import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { inputWords, readInput, readRequest } from './read-input.ts';
import { amountIn, piecesOf, pointsOf, sentenceOf, type TokenEffect, verdictWords } from './words.ts';

const [ALICE, BOB] = [
  'CUmACateJHQ2jb5itRLLivMnYqXxUgxqMNLcbR2wqFFd',
  'fMcdsQywrepbAKceAoHym7yJHX6UcNbpVYAUYELuDhP',
];
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TELLING = {
  owners: new Map(),
  names: new Map([
    [ALICE, 'Alice'],
    [BOB, 'Bob'],
  ]),
  mints: new Map([[USDC, { symbol: 'USDC', decimals: 6 }]]),
};

const effect = (
  owner: string,
  change: bigint,
  location: 'base' | 'ephemeral',
  held: TokenEffect['held'] = null,
): TokenEffect => ({
  owner,
  account: null,
  mint: USDC,
  symbol: 'a symbol that anyone may choose',
  location,
  held,
  change,
  figure: null,
  uiFigure: null,
});

const sentence = (
  tokens: readonly TokenEffect[],
  instructions: ExplainTransactionOutput['instructions'] = [],
) =>
  sentenceOf(
    {
      effects: {
        tokens,
        lamports: [],
        accountsCreated: [],
        rentLamportsMax: 0n,
        networkFeeLamportsMax: null,
      },
      instructions,
    },
    TELLING,
  );

describe('the summary of a transaction', () => {
  it.each([
    [
      'Alice deposits 3.5 USDC',
      [
        effect(ALICE, -3_500_000n, 'base'),
        effect('vault', 3_500_000n, 'base', 'vault'),
        effect(ALICE, 3_500_000n, 'ephemeral'),
      ],
    ],
    [
      'Alice pays Bob 1.25 USDC on the rollup',
      [effect(ALICE, -1_250_000n, 'ephemeral'), effect(BOB, 1_250_000n, 'ephemeral')],
    ],
    [
      'Alice pays Bob 1.25 USDC on base',
      [effect(ALICE, -1_250_000n, 'base'), effect(BOB, 1_250_000n, 'base')],
    ],
    [
      'Alice withdraws 2.25 USDC',
      [
        effect(ALICE, -2_250_000n, 'ephemeral'),
        effect('vault', -2_250_000n, 'base', 'vault'),
        effect(ALICE, 2_250_000n, 'base'),
      ],
    ],
    [
      'Bob pays 1 USDC to a hidden recipient',
      [
        effect(BOB, -1_001_000n, 'base'),
        effect('vault', 1_001_000n, 'base', 'vault'),
        effect(BOB, 1_000_000n, 'base', 'sealed'),
      ],
    ],
    ['1.25 USDC leave Alice', [effect(ALICE, -1_250_000n, 'base')]],
  ])('%s', (expected, tokens) => {
    expect(sentence(tokens)).toBe(expected);
  });

  it('says so if the transaction is empty', () => {
    expect(sentence([])).toBe('Does nothing: it has no instructions');
  });

  it('trusts only symbols from the service’s table', () => {
    expect(amountIn(TELLING, 5n, ALICE)).toBe('5 base units');
    expect(
      amountIn({ ...TELLING, mints: new Map([[ALICE, { symbol: null, decimals: 1 }]]) }, 5n, ALICE),
    ).toBe('0.5 CUmA…qFFd');
  });
});

const request = (
  verdicts: readonly ('ok' | 'differs' | 'unverifiable')[],
  satisfied: 'yes' | 'no' | 'unverifiable',
) => ({
  operation: 'transfer' as const,
  satisfied,
  claims: verdicts.map((verdict, at) => ({ name: `claim ${at}`, verdict, message: '' })),
  differences: [],
});

describe('the verdict', () => {
  it('is the one of the explanation: a danger without findings is still a danger', () => {
    const words = verdictWords({
      verdict: 'danger',
      findings: [],
      request: request(['ok', 'differs'], 'no'),
    });
    expect(words).toEqual({
      kind: 'bad',
      tag: 'do not sign',
      title: 'This is not what you asked for.',
      text: 'Differs: claim 1. The other 1 points match.',
    });
  });

  it('of a danger reports the danger even if it was requested', () => {
    const finding = { level: 'danger' as const, code: 'VAULT_WRONG', message: 'The vault is another.' };
    expect(verdictWords({ verdict: 'danger', findings: [finding] }).title).toBe('The vault is another.');
  });

  it('of a caution names a sealed recipient', () => {
    const finding = { level: 'caution' as const, code: 'SEALED_RECIPIENT', message: '' };
    expect(
      verdictWords({
        verdict: 'caution',
        findings: [finding],
        request: request(['unverifiable'], 'unverifiable'),
      }),
    ).toMatchObject({
      kind: 'warn',
      title: 'Check this before you sign.',
      text: 'The recipient is encrypted, so it cannot be checked.',
    });
  });

  it('of a clear transaction says how many points match, and claims nothing without a request', () => {
    expect(verdictWords({ verdict: 'clear', findings: [], request: request(['ok', 'ok'], 'yes') }).text).toBe(
      '2 of 2 points match. Every instruction is known.',
    );
    expect(verdictWords({ verdict: 'clear', findings: [] }).title).toBe('Nothing dangerous found.');
    expect(pointsOf(undefined)).toBe('');
  });
});

describe('the service’s words', () => {
  it('are split at addresses only', () => {
    expect(piecesOf(`${ALICE} pays 3500000 to ${BOB}, unless it exists`)).toEqual([
      { kind: 'address', address: ALICE },
      { kind: 'text', text: ' pays 3500000 to ' },
      { kind: 'address', address: BOB },
      { kind: 'text', text: ', unless it exists' },
    ]);
  });
});

describe('pasted text', () => {
  it('is classified by its format', () => {
    const signature =
      '2SsGnxbvqvnyaoV7dGdaaKU4yPU2muzaMrpcUQeH2Sz8TuEjpCXmaRQmtrBUj5VHvqdCuc4gWqZBMGP3DH71MiQo';
    const transaction = Buffer.alloc(200, 1).toString('base64');
    expect(readInput(` ${signature} `)).toEqual({ kind: 'signature', signature });
    expect(readInput(`${transaction.slice(0, 50)}\n${transaction.slice(50)}`)).toEqual({
      kind: 'transaction',
      transactionBase64: transaction,
      bytes: 200,
    });
    expect(readInput('{"operation":"deposit","arguments":{"owner":"x"}}')).toMatchObject({ kind: 'request' });
    expect([readInput(''), readInput('hello')].map(({ kind }) => kind)).toEqual(['empty', 'unreadable']);
    expect(inputWords(readInput(transaction))).toBe('A transaction of 200 bytes.');
  });

  it.each([
    ['{', 'The request is not JSON.'],
    ['{"operation":"deposit"}', 'A request needs an operation and arguments.'],
    [
      '{"operation":"steal","arguments":{}}',
      'The operation must be deposit, transfer, undelegate or withdraw.',
    ],
    [
      '{"operation":"deposit","arguments":{"amount":18446744073709551615}}',
      'amount is too large for a JSON number. Write it as a string.',
    ],
  ])('%s is not a request', (text, why) => {
    expect(readRequest(text)).toBe(why);
  });
});
