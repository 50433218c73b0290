import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { createDispatcher } from '../dispatcher.ts';
import { callForText, callMethod, invalidParamsError, TEST_VERSION } from '../testing/call-method.ts';
import { FIXED_HEAD, FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf, recordOf } from '../testing/records.ts';
import { addressFilledWith, transferWire, v0Wire } from '../testing/transactions.ts';
import { getBlock } from './block-methods.ts';

const SLOT = 4700;
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));
const ONE = addressFilledWith(1);
const TWO = addressFilledWith(2);

const TRANSFER = recordOf(transferWire(), {
  preBalances: [1_000_000_000n, 0n, 1n],
  postBalances: [998_995_000n, 1_000_000n, 1n],
  logs: ['Program 11111111111111111111111111111111 invoke [1]'],
});

const VERSION_0 = recordOf(
  v0Wire({
    keys: [ONE, addressFilledWith(3)],
    header: [1, 0, 1],
    instructions: [{ programIdIndex: 1, accounts: [0, 2], data: Uint8Array.of(1) }],
    lookups: [{ table: addressFilledWith(6), writable: [4], readonly: [] }],
  }),
  {
    loadedAddresses: { writable: [TWO], readonly: [] },
    postTokenBalances: [
      { accountIndex: 2, mint: ONE, owner: TWO, programId: TOKEN_PROGRAM, amount: 5n, decimals: 1 },
    ],
  },
);

function ledgerWith(...records: readonly ReturnType<typeof recordOf>[]): FixedLedger {
  const ledger = new FixedLedger();
  ledger.blocks.set(SLOT, blockOf(SLOT, records));
  return ledger;
}

/** The result of a call on a ledger with one transfer, or `{ error }`. */
async function ask(config: unknown, ledger = ledgerWith(TRANSFER)): Promise<unknown> {
  const { result, error } = await callMethod(ledger, 'getBlock', SLOT, config);
  return error === undefined ? result : { error };
}

const BASE =
  '"blockHeight":4700,"blockTime":1750004700,' +
  `"blockhash":"${addressFilledWith(92)}","parentSlot":4699,"previousBlockhash":"${addressFilledWith(91)}"`;

describe('getBlock', () => {
  it('returns a whole block as json by default, without versions', async () => {
    expect(await callForText(ledgerWith(TRANSFER), 'getBlock', `[${SLOT}]`)).toBe(
      `"result":{${BASE},"rewards":[],"transactions":[{"meta":{"computeUnitsConsumed":150,"costUnits":1481,` +
        '"err":null,"fee":5000,"innerInstructions":[],"loadedAddresses":{"readonly":[],"writable":[]},' +
        '"logMessages":["Program 11111111111111111111111111111111 invoke [1]"],' +
        '"postBalances":[998995000,1000000,1],"postTokenBalances":[],"preBalances":[1000000000,0,1],' +
        '"preTokenBalances":[],"rewards":[],"status":{"Ok":null}},' +
        `"transaction":{"message":{"accountKeys":["${ONE}","${TWO}","11111111111111111111111111111111"],` +
        '"header":{"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":1,"numRequiredSignatures":1},' +
        '"instructions":[{"accounts":[0,1],"data":"3Bxs4Bc3VYuGVB19","programIdIndex":2,"stackHeight":1}],' +
        `"recentBlockhash":"${addressFilledWith(5)}"},"signatures":["${SIGNATURE}"]}}]}`,
    );
  });

  it.each([
    ['none', `"result":{${BASE},"rewards":[]}`],
    ['signatures', `"result":{${BASE},"rewards":[],"signatures":["${SIGNATURE}"]}`],
  ])('shows the requested parts of transactions: %s', async (transactionDetails, expected) => {
    const config = JSON.stringify({ transactionDetails });
    expect(await callForText(ledgerWith(TRANSFER), 'getBlock', `[${SLOT},${config}]`)).toBe(expected);
  });

  it('shows accounts with their rights and balances', async () => {
    const config = { transactionDetails: 'accounts', maxSupportedTransactionVersion: 0 };
    expect(await ask(config, ledgerWith(TRANSFER, VERSION_0))).toMatchObject({
      transactions: [
        {
          meta: {
            err: null,
            fee: 5000,
            postBalances: [998_995_000, 1_000_000, 1],
            postTokenBalances: [],
            preBalances: [1_000_000_000, 0, 1],
            preTokenBalances: [],
            rewards: [],
            status: { Ok: null },
          },
          transaction: {
            accountKeys: [
              { pubkey: ONE, signer: true, source: 'transaction', writable: true },
              { pubkey: TWO, signer: false, source: 'transaction', writable: true },
              {
                pubkey: '11111111111111111111111111111111',
                signer: false,
                source: 'transaction',
                writable: false,
              },
            ],
            signatures: [SIGNATURE],
          },
          version: 'legacy',
        },
        {
          meta: { postTokenBalances: [{ accountIndex: 2, uiTokenAmount: { amount: '5' } }] },
          transaction: {
            accountKeys: [
              { pubkey: ONE },
              { pubkey: addressFilledWith(3), writable: false },
              { pubkey: TWO, source: 'lookupTable', writable: true },
            ],
          },
          version: 0,
        },
      ],
    });
  });

  it.each([
    ['base58', [encodeBase58(transferWire()), 'base58']],
    ['base64', [Buffer.from(transferWire()).toString('base64'), 'base64']],
    ['binary', encodeBase58(transferWire())],
  ])('encodes transactions as %s, requested alone or in a config', async (encoding, transaction) => {
    expect(await ask(encoding)).toHaveProperty('transactions.0.transaction', transaction);
    expect(await ask({ encoding })).toHaveProperty('transactions.0.transaction', transaction);
  });

  it('parses known instructions as jsonParsed', async () => {
    expect(await ask('jsonParsed')).toHaveProperty(
      'transactions.0.transaction.message.instructions.0.parsed',
      { info: { source: ONE, destination: TWO, lamports: 1_000_000 }, type: 'transfer' },
    );
  });

  it('omits rewards if not requested', async () => {
    expect(await ask({ rewards: false })).not.toHaveProperty('rewards');
    expect(await ask({ rewards: false })).toHaveProperty('transactions.0.meta.rewards', null);
    const accounts = await ask({ rewards: false, transactionDetails: 'accounts' });
    expect(accounts).not.toHaveProperty('transactions.0.meta.rewards');
  });

  it('rejects version 0 to clients that do not support it if transactions are shown', async () => {
    const ledger = ledgerWith(VERSION_0);
    const refused = { error: { code: -32015, message: expect.stringContaining('version (0)') } };
    expect(await ask({}, ledger)).toEqual(refused);
    expect(await ask({ transactionDetails: 'accounts' }, ledger)).toEqual(refused);
    expect(await ask({ transactionDetails: 'signatures' }, ledger)).toHaveProperty('signatures');
    expect(await ask({ maxSupportedTransactionVersion: 0 }, ledger)).toHaveProperty(
      'transactions.0.version',
      0,
    );
  });

  it.each<[string, number | bigint, object]>([
    ['is in the future', FIXED_HEAD.slot + 1, { code: -32004, message: 'Block not available for slot 4712' }],
    ['is the current one', FIXED_HEAD.slot, { code: -32004, message: 'Block not available for slot 4711' }],
    [
      'was skipped',
      4600,
      { code: -32007, message: 'Slot 4600 was skipped, or missing due to ledger jump to recent snapshot' },
    ],
    [
      'was dropped',
      100,
      {
        code: -32001,
        message: 'Block 100 cleaned up, does not exist on node. First available block: 4500',
      },
    ],
  ])('says why there is no block for a slot that %s', async (_, slot, error) => {
    const ledger = ledgerWith(TRANSFER);
    ledger.firstKeptSlot = 4500;
    expect(await callMethod(ledger, 'getBlock', slot)).toEqual({ error });
  });

  describe('of the current slot', () => {
    /** A ledger whose present slot ends after some looks. */
    class EndingLedger extends FixedLedger {
      looksLeft = Infinity;

      override finishedSlot(): number {
        this.looksLeft -= 1;
        return this.looksLeft > 0 ? FIXED_HEAD.slot - 1 : FIXED_HEAD.slot;
      }
    }

    const answerOn = async (ledger: EndingLedger): Promise<string> => {
      ledger.blocks.set(FIXED_HEAD.slot, blockOf(FIXED_HEAD.slot, [TRANSFER]));
      const timer = new HandTimer();
      const dispatch = createDispatcher({
        node: { ledger, version: TEST_VERSION, featureSet: 7, timer },
        methods: [getBlock],
        batchMax: 1,
        logger: silentLogger,
      });
      const params = `[${FIXED_HEAD.slot},{"maxSupportedTransactionVersion":0}]`;
      const answer = dispatch(`{"jsonrpc":"2.0","id":1,"method":"getBlock","params":${params}}`);
      for (let looks = 0; looks < 40; looks++) {
        timer.pass(ledger.slotMs / 16);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return String(await answer);
    };

    it('waits for its end (bug: the block of a confirmed transaction was not available)', async () => {
      const ledger = new EndingLedger();
      ledger.looksLeft = 9;
      expect(await answerOn(ledger)).toContain('"blockhash"');
    });

    it('waits for one slot at most', async () => {
      expect(await answerOn(new EndingLedger())).toContain('"code":-32004');
    });
  });

  it('keeps the digits of a slot that will never have a block', async () => {
    expect(await callForText(ledgerWith(), 'getBlock', '[18446744073709551615]')).toBe(
      '"error":{"code":-32004,"message":"Block not available for slot 18446744073709551615"}',
    );
  });

  it('returns no blocks that are only processed', async () => {
    expect(await ask({ commitment: 'processed' })).toEqual(
      invalidParamsError('Method does not support commitment below `confirmed`'),
    );
  });

  it.each([
    [{ transactionDetails: 'x' }],
    [{ encoding: 'x' }],
    [{ rewards: 1 }],
    [{ maxSupportedTransactionVersion: 256 }],
    ['x'],
    [5],
  ])('rejects %j in one sentence', async (config) => {
    expect(await ask(config)).toEqual(
      invalidParamsError(
        'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.',
      ),
    );
  });
});
