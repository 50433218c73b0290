import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors/service-error.ts';
import { TransactionRejected } from '../../ledger/ledger.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { EMPTY_SIMULATION, FixedLedger } from '../testing/fixed-ledger.ts';
import { transferWire } from '../testing/transactions.ts';

const TRANSACTION = Buffer.from(transferWire()).toString('base64');
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));
const PREFLIGHT = ['simulate', { verifySignatures: true, replaceBlockhash: false }];

describe('sendTransaction', () => {
  it('simulates with signatures, submits and returns the first signature', async () => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'sendTransaction', TRANSACTION, { encoding: 'base64' })).toEqual({
      result: SIGNATURE,
    });
    expect(ledger.calls).toEqual([PREFLIGHT, ['submit']]);
  });

  it('accepts base58 without an encoding, and null for options of the Rust client', async () => {
    const config = { maxRetries: null, minContextSlot: null, preflightCommitment: 'confirmed' };
    expect(
      await callMethod(new FixedLedger(), 'sendTransaction', encodeBase58(transferWire()), config),
    ).toEqual({ result: SIGNATURE });
  });

  it('does not simulate if the client skips preflight', async () => {
    const ledger = new FixedLedger();
    const config = { encoding: 'base64', skipPreflight: true };
    expect(await callMethod(ledger, 'sendTransaction', TRANSACTION, config)).toEqual({ result: SIGNATURE });
    expect(ledger.calls).toEqual([['submit']]);
  });

  it('returns the result of a failed simulation and submits nothing', async () => {
    const ledger = new FixedLedger();
    ledger.onSimulate = () => ({
      ...EMPTY_SIMULATION,
      err: { InstructionError: [0, { Custom: 1 }] },
      logs: ['Program 11111111111111111111111111111111 invoke [1]'],
      preBalances: [5n],
    });
    expect(await callForText(ledger, 'sendTransaction', `["${TRANSACTION}",{"encoding":"base64"}]`)).toBe(
      '"error":{"code":-32002,"message":"Transaction simulation failed: Error processing Instruction 0: custom ' +
        'program error: 0x1","data":{"accounts":null,"err":{"InstructionError":[0,{"Custom":1}]},"fee":5000,' +
        '"innerInstructions":null,"loadedAccountsDataSize":206,"loadedAddresses":null,' +
        '"logs":["Program 11111111111111111111111111111111 invoke [1]"],"postBalances":null,' +
        '"postTokenBalances":null,"preBalances":null,"preTokenBalances":null,"replacementBlockhash":null,' +
        '"returnData":null,"unitsConsumed":150}}',
    );
    expect(ledger.calls).toEqual([PREFLIGHT]);
  });

  it.each([true, false])(
    'returns a request error for what the ledger rejects, preflight skipped: %s',
    async (skipPreflight) => {
      const reject = (): never => {
        throw new TransactionRejected('AccountLoadedTwice');
      };
      const ledger = new FixedLedger();
      ledger.onSimulate = reject;
      ledger.onChange = reject;
      const config = { encoding: 'base64', skipPreflight };
      expect(await callMethod(ledger, 'sendTransaction', TRANSACTION, config)).toEqual(
        invalidParamsError('invalid transaction: Account loaded twice'),
      );
    },
  );

  it('reports an unhealthy node while the ledger is closing', async () => {
    const ledger = new FixedLedger();
    ledger.onChange = () => {
      throw new ServiceError('LEDGER_STOPPED', 'The ledger is shutting down');
    };
    expect(await callMethod(ledger, 'sendTransaction', TRANSACTION, { encoding: 'base64' })).toEqual({
      error: { code: -32005, message: 'Node is unhealthy', data: { numSlotsBehind: null } },
    });
  });

  it('checks the bytes, then minContextSlot, even without preflight', async () => {
    const ledger = new FixedLedger();
    const config = { encoding: 'base64', minContextSlot: 9999, skipPreflight: true };
    expect(await callMethod(ledger, 'sendTransaction', 'AA', config)).toEqual(
      invalidParamsError('invalid base64 encoding: InvalidPadding'),
    );
    expect(await callMethod(ledger, 'sendTransaction', TRANSACTION, config)).toHaveProperty(
      'error.code',
      -32016,
    );
    expect(ledger.calls).toEqual([]);
  });
});
