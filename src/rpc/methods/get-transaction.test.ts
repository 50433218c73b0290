import { describe, expect, it } from 'vitest';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { recordOf } from '../testing/records.ts';
import { addressFilledWith, transferWire, v0Wire } from '../testing/transactions.ts';

const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));
const BLOCKHASH = addressFilledWith(5);
const ONE = addressFilledWith(1);
const TWO = addressFilledWith(2);
const TABLE = addressFilledWith(6);

function ledgerWith(record: ReturnType<typeof recordOf>): FixedLedger {
  const ledger = new FixedLedger();
  ledger.records.set(record.signature, record);
  return ledger;
}

const LEGACY = ledgerWith(
  recordOf(transferWire(), {
    preBalances: [1_000_000_000n, 0n, 1n],
    postBalances: [998_995_000n, 1_000_000n, 1n],
    logs: ['Program 11111111111111111111111111111111 invoke [1]'],
  }),
);

const LOADED = { writable: [addressFilledWith(8)], readonly: [TOKEN_PROGRAM] };

/** A v0 transaction that calls a program from a lookup table, which in turn calls the token program. */
const VERSION_0 = ledgerWith(
  recordOf(
    v0Wire({
      keys: [ONE, addressFilledWith(3)],
      header: [1, 0, 1],
      instructions: [{ programIdIndex: 1, accounts: [0, 2, 3], data: Uint8Array.of(1, 2) }],
      lookups: [{ table: TABLE, writable: [4], readonly: [0] }],
    }),
    {
      loadedAddresses: LOADED,
      innerInstructions: [
        {
          index: 0,
          instructions: [
            {
              programIdIndex: 3,
              accounts: Uint8Array.of(2, 0, 0),
              data: Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0),
              stackHeight: 2,
            },
          ],
        },
      ],
      preTokenBalances: [],
      postTokenBalances: [
        { accountIndex: 2, mint: TWO, owner: ONE, programId: TOKEN_PROGRAM, amount: 5n, decimals: 1 },
      ],
      returnData: { programId: TWO, data: Uint8Array.of(9) },
    },
  ),
);

/** A member of the result. */
async function memberOf(ledger: FixedLedger, config: unknown, member: string): Promise<unknown> {
  const { result } = await callMethod(ledger, 'getTransaction', SIGNATURE, config);
  return (result as Record<string, unknown>)[member];
}

describe('getTransaction', () => {
  it('returns a legacy transaction as json by default, without a version', async () => {
    expect(await callForText(LEGACY, 'getTransaction', `["${SIGNATURE}"]`)).toBe(
      '"result":{"blockTime":1750000000,"meta":{"computeUnitsConsumed":150,"costUnits":1481,"err":null,"fee":5000,' +
        '"innerInstructions":[],"loadedAddresses":{"readonly":[],"writable":[]},' +
        '"logMessages":["Program 11111111111111111111111111111111 invoke [1]"],' +
        '"postBalances":[998995000,1000000,1],"postTokenBalances":[],"preBalances":[1000000000,0,1],' +
        '"preTokenBalances":[],"rewards":[],"status":{"Ok":null}},"slot":4700,' +
        `"transaction":{"message":{"accountKeys":["${ONE}","${TWO}","11111111111111111111111111111111"],` +
        '"header":{"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":1,"numRequiredSignatures":1},' +
        '"instructions":[{"accounts":[0,1],"data":"3Bxs4Bc3VYuGVB19","programIdIndex":2,"stackHeight":1}],' +
        `"recentBlockhash":"${BLOCKHASH}"},"signatures":["${SIGNATURE}"]},"transactionIndex":3}`,
    );
  });

  it('returns the version to clients that state the newest one they support', async () => {
    expect(await memberOf(LEGACY, { maxSupportedTransactionVersion: 0 }, 'version')).toBe('legacy');
    expect(await memberOf(VERSION_0, { maxSupportedTransactionVersion: 0 }, 'version')).toBe(0);
    expect(await memberOf(VERSION_0, { maxSupportedTransactionVersion: 255 }, 'version')).toBe(0);
  });

  it.each([null, 'json', {}, { encoding: 'base64' }])(
    'does not show version 0 to a client that requests %j',
    async (config) => {
      expect(await callMethod(VERSION_0, 'getTransaction', SIGNATURE, config)).toEqual({
        error: {
          code: -32015,
          message:
            'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
        },
      });
    },
  );

  it.each<[unknown, unknown]>([
    ['binary', encodeBase58(transferWire())],
    ['base58', [encodeBase58(transferWire()), 'base58']],
    ['base64', [Buffer.from(transferWire()).toString('base64'), 'base64']],
    [{ encoding: 'base64' }, [Buffer.from(transferWire()).toString('base64'), 'base64']],
  ])('shows the bytes for %j', async (config, transaction) => {
    expect(await memberOf(LEGACY, config, 'transaction')).toEqual(transaction);
  });

  it('shows lookup tables, their addresses, and inner calls', async () => {
    const config = { encoding: 'json', maxSupportedTransactionVersion: 0 };
    expect(await memberOf(VERSION_0, config, 'transaction')).toHaveProperty('message.addressTableLookups', [
      { accountKey: TABLE, readonlyIndexes: [0], writableIndexes: [4] },
    ]);
    const meta = await memberOf(VERSION_0, config, 'meta');
    expect(meta).toMatchObject({
      loadedAddresses: LOADED,
      innerInstructions: [
        {
          index: 0,
          instructions: [{ programIdIndex: 3, accounts: [2, 0, 0], data: '3EJ4xkyyH2oq', stackHeight: 2 }],
        },
      ],
      postTokenBalances: [
        {
          accountIndex: 2,
          mint: TWO,
          owner: ONE,
          programId: TOKEN_PROGRAM,
          uiTokenAmount: { amount: '5', decimals: 1, uiAmount: 0.5, uiAmountString: '0.5' },
        },
      ],
      returnData: { data: ['CQ==', 'base64'], programId: TWO },
    });
  });

  it('shows accounts with their rights, and parsed calls, for jsonParsed', async () => {
    const config = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
    expect(await memberOf(VERSION_0, config, 'transaction')).toEqual({
      message: {
        accountKeys: [
          { pubkey: ONE, signer: true, source: 'transaction', writable: true },
          { pubkey: addressFilledWith(3), signer: false, source: 'transaction', writable: false },
          { pubkey: addressFilledWith(8), signer: false, source: 'lookupTable', writable: true },
          { pubkey: TOKEN_PROGRAM, signer: false, source: 'lookupTable', writable: false },
        ],
        addressTableLookups: [{ accountKey: TABLE, readonlyIndexes: [0], writableIndexes: [4] }],
        instructions: [
          {
            accounts: [ONE, addressFilledWith(8), TOKEN_PROGRAM],
            data: '5T',
            programId: addressFilledWith(3),
            stackHeight: 1,
          },
        ],
        recentBlockhash: BLOCKHASH,
      },
      signatures: [SIGNATURE],
    });
    const meta = (await memberOf(VERSION_0, config, 'meta')) as Record<string, unknown>;
    expect(meta).not.toHaveProperty('loadedAddresses');
    expect(meta['innerInstructions']).toEqual([
      {
        index: 0,
        instructions: [
          {
            parsed: {
              info: { amount: '5', authority: ONE, destination: ONE, source: addressFilledWith(8) },
              type: 'transfer',
            },
            program: 'spl-token',
            programId: TOKEN_PROGRAM,
            stackHeight: 2,
          },
        ],
      },
    ]);
  });

  it('has no lookups for a legacy transaction, and parses its instructions', async () => {
    const transaction = (await memberOf(LEGACY, 'jsonParsed', 'transaction')) as { message: object };
    expect(transaction.message).not.toHaveProperty('addressTableLookups');
    expect(transaction.message).not.toHaveProperty('header');
    expect(transaction.message).toHaveProperty('instructions', [
      {
        parsed: { info: { destination: TWO, lamports: 1000000, source: ONE }, type: 'transfer' },
        program: 'system',
        programId: '11111111111111111111111111111111',
        stackHeight: 1,
      },
    ]);
  });

  it('shows the error of a failed transaction in both forms', async () => {
    const err = { InstructionError: [0, 'InvalidArgument'] } as const;
    const meta = await memberOf(ledgerWith(recordOf(transferWire(), { err })), null, 'meta');
    expect(meta).toMatchObject({ err, status: { Err: err } });
  });

  it('checks the signature, then the commitment, and returns null for an unknown one', async () => {
    const processed = { commitment: 'processed' };
    expect(await callMethod(LEGACY, 'getTransaction', '0', processed)).toEqual(
      invalidParamsError('Invalid param: Invalid'),
    );
    expect(await callMethod(LEGACY, 'getTransaction', SIGNATURE, processed)).toEqual(
      invalidParamsError('Method does not support commitment below `confirmed`'),
    );
    const unknown = encodeBase58(new Uint8Array(64).fill(3));
    expect(await callMethod(LEGACY, 'getTransaction', unknown, { commitment: 'confirmed' })).toEqual({
      result: null,
    });
  });
});
