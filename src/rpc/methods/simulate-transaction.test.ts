import { describe, expect, it } from 'vitest';
import { type Simulation, TransactionRejected } from '../../ledger/ledger.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { EMPTY_SIMULATION, FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith, mintData, tokenAccountData } from '../testing/token-accounts.ts';
import { addressFilledWith, transferWire } from '../testing/transactions.ts';

const TRANSACTION = Buffer.from(transferWire()).toString('base64');
const ONE = addressFilledWith(1);
const TWO = addressFilledWith(2);
const MINT = addressFilledWith(3);

function ledgerSimulating(parts: Partial<Simulation>): FixedLedger {
  const ledger = new FixedLedger();
  ledger.onSimulate = () => ({ ...EMPTY_SIMULATION, ...parts });
  return ledger;
}

/** The `value` of the result. */
async function simulate(ledger: FixedLedger, config: object = {}): Promise<Record<string, unknown>> {
  const params = [TRANSACTION, { encoding: 'base64', ...config }];
  const { result, error } = await callMethod(ledger, 'simulateTransaction', ...params);
  expect(error).toBeUndefined();
  return (result as { value: Record<string, unknown> }).value;
}

/** The error. */
async function refusal(ledger: FixedLedger, config: object): Promise<unknown> {
  return callMethod(ledger, 'simulateTransaction', TRANSACTION, { encoding: 'base64', ...config });
}

describe('simulateTransaction', () => {
  it('returns all members, null for empty ones', async () => {
    const ledger = ledgerSimulating({
      preBalances: [1_000_000_000n, 0n, 1n],
      postBalances: [998_995_000n, 1_000_000n, 1n],
      logs: ['Program 11111111111111111111111111111111 success'],
    });
    expect(await callForText(ledger, 'simulateTransaction', `["${TRANSACTION}",{"encoding":"base64"}]`)).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"accounts":null,"err":null,"fee":5000,' +
        '"innerInstructions":null,"loadedAccountsDataSize":206,"loadedAddresses":{"readonly":[],"writable":[]},' +
        '"logs":["Program 11111111111111111111111111111111 success"],' +
        '"postBalances":[998995000,1000000,1],"postTokenBalances":[],"preBalances":[1000000000,0,1],' +
        '"preTokenBalances":[],"replacementBlockhash":null,"returnData":null,"unitsConsumed":150}}',
    );
  });

  it('accepts base58 without an encoding', async () => {
    expect(
      await callMethod(new FixedLedger(), 'simulateTransaction', encodeBase58(transferWire())),
    ).toHaveProperty('result.value.err', null);
  });

  it.each([
    [{}, { verifySignatures: false, replaceBlockhash: false }],
    [{ sigVerify: true }, { verifySignatures: true, replaceBlockhash: false }],
    [{ replaceRecentBlockhash: true }, { verifySignatures: false, replaceBlockhash: true }],
  ])('calls the ledger with %j', async (config, options) => {
    const ledger = new FixedLedger();
    await simulate(ledger, config);
    expect(ledger.calls).toEqual([['simulate', options]]);
  });

  it('shows a transaction that did not run with its error and nulls', async () => {
    const nothing = {
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
    };
    const ledger = ledgerSimulating({
      ...nothing,
      err: 'SignatureFailure',
      fee: null,
      computeUnits: 0,
      loadedAccountsDataSize: 0,
    });
    expect(await simulate(ledger, { sigVerify: true, innerInstructions: true })).toEqual({
      ...nothing,
      accounts: null,
      err: 'SignatureFailure',
      fee: null,
      innerInstructions: null,
      loadedAccountsDataSize: 0,
      loadedAddresses: { readonly: [], writable: [] },
      logs: [],
      replacementBlockhash: null,
      returnData: null,
      unitsConsumed: 0,
    });
  });

  it('shows the replacement blockhash, token balances and return data', async () => {
    const replacementBlockhash = { blockhash: addressFilledWith(9), lastValidBlockHeight: 4861 };
    const balance = {
      accountIndex: 1,
      mint: MINT,
      owner: ONE,
      programId: TOKEN_PROGRAM,
      amount: 5n,
      decimals: 0,
    };
    const ledger = ledgerSimulating({
      replacementBlockhash,
      preTokenBalances: [balance],
      returnData: { programId: TWO, data: Uint8Array.of(9) },
    });
    expect(await simulate(ledger, { replaceRecentBlockhash: true })).toMatchObject({
      replacementBlockhash,
      preTokenBalances: [
        {
          accountIndex: 1,
          mint: MINT,
          owner: ONE,
          programId: TOKEN_PROGRAM,
          uiTokenAmount: { amount: '5', decimals: 0, uiAmount: 5, uiAmountString: '5' },
        },
      ],
      returnData: { data: ['CQ==', 'base64'], programId: TWO },
    });
  });

  describe('with innerInstructions', () => {
    const call = { programIdIndex: 1, accounts: Uint8Array.of(0), data: Uint8Array.of(9), stackHeight: 2 };
    const innerInstructions = [{ index: 0, instructions: [call] }];
    const shown = [
      { index: 0, instructions: [{ accounts: [ONE], data: 'A', programId: TWO, stackHeight: 2 }] },
    ];

    it.each<[Simulation['err'], unknown]>([
      [null, shown],
      [{ InstructionError: [0, { Custom: 1 }] }, shown],
      [{ InsufficientFundsForRent: { account_index: 0 } }, shown],
      ['BlockhashNotFound', null],
    ])('shows the calls of a run that ended in %j', async (err, expected) => {
      const ledger = ledgerSimulating({ err, innerInstructions });
      expect(await simulate(ledger, { innerInstructions: true })).toHaveProperty(
        'innerInstructions',
        expected,
      );
    });

    it('shows no calls as an empty list, and as null if not requested', async () => {
      expect(await simulate(new FixedLedger(), { innerInstructions: true })).toHaveProperty(
        'innerInstructions',
        [],
      );
      expect(await simulate(ledgerSimulating({ innerInstructions }))).toHaveProperty(
        'innerInstructions',
        null,
      );
    });
  });

  describe('with accounts', () => {
    const after = new Map<string, Account>([
      [ONE, accountWith(Buffer.from('test data'))],
      [TWO, accountWith(tokenAccountData({ mint: MINT, owner: ONE, amount: 5n }))],
      [MINT, accountWith(mintData({ decimals: 1 }))],
    ]);
    const accountAfter = (address: string): Account | null => after.get(address) ?? null;

    it('shows their later state in base64 by default', async () => {
      const ledger = ledgerSimulating({ accountAfter });
      const addresses = [ONE, addressFilledWith(9)];
      expect(await simulate(ledger, { accounts: { addresses } })).toMatchObject({
        accounts: [{ data: ['dGVzdCBkYXRh', 'base64'], space: 9 }, null],
      });
      expect(await simulate(ledger, { accounts: { addresses, encoding: 'base64+zstd' } })).toMatchObject({
        accounts: [{ data: ['KLUv/QBYSQAAdGVzdCBkYXRh', 'base64+zstd'] }, null],
      });
    });

    it('parses them with the mints as they are afterwards', async () => {
      const accounts = { addresses: [TWO], encoding: 'jsonParsed' };
      expect(await simulate(ledgerSimulating({ accountAfter }), { accounts })).toHaveProperty(
        'accounts.0.data.parsed.info.tokenAmount.uiAmountString',
        '0.5',
      );
    });

    it('shows null for each after a failure, even for invalid addresses', async () => {
      const ledger = ledgerSimulating({ accountAfter, err: 'BlockhashNotFound' });
      expect(await simulate(ledger, { accounts: { addresses: [ONE, 'x'] } })).toHaveProperty('accounts', [
        null,
        null,
      ]);
    });

    it.each([
      [{ addresses: [ONE], encoding: 'base58' }, 'base58 encoding not supported'],
      [{ addresses: [ONE], encoding: 'binary' }, 'base58 encoding not supported'],
      [{ addresses: [ONE, ONE, ONE, ONE] }, 'Too many accounts provided; max 3'],
      [{ addresses: ['x'] }, 'Invalid param: WrongSize'],
    ])('rejects %j', async (accounts, message) => {
      expect(await refusal(new FixedLedger(), { accounts })).toEqual(invalidParamsError(message));
    });
  });

  it('reports rejections by the ledger as errors of the request', async () => {
    const ledger = new FixedLedger();
    ledger.onSimulate = () => {
      throw new TransactionRejected('SanitizeFailure');
    };
    expect(await refusal(ledger, {})).toEqual(
      invalidParamsError('invalid transaction: Transaction failed to sanitize accounts offsets correctly'),
    );
  });

  it('checks the bytes, then minContextSlot, then the flags, before the ledger', async () => {
    const ledger = new FixedLedger();
    const config = { minContextSlot: 9999, sigVerify: true, replaceRecentBlockhash: true };
    expect(await callMethod(ledger, 'simulateTransaction', 'AA', { ...config, encoding: 'base64' })).toEqual(
      invalidParamsError('invalid base64 encoding: InvalidPadding'),
    );
    expect(await refusal(ledger, config)).toHaveProperty('error.code', -32016);
    expect(await refusal(ledger, { ...config, minContextSlot: 1 })).toEqual(
      invalidParamsError('sigVerify may not be used with replaceRecentBlockhash'),
    );
    expect(ledger.calls).toEqual([]);
  });
});
