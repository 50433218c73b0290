import { describe, expect, it } from 'vitest';
import { SignatureUnknown } from '../../ledger/ledger.ts';
import { addMemo } from '../../programs/memo.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { recordOf } from '../testing/records.ts';
import { addressFilledWith, legacyWire } from '../testing/transactions.ts';

const ONE = addressFilledWith(1);
const BEFORE = encodeBase58(new Uint8Array(64).fill(7));
const UNTIL = encodeBase58(new Uint8Array(64).fill(8));

describe('getSignaturesForAddress', () => {
  it('returns the outcome of each transaction, with its memos', async () => {
    const ledger = new FixedLedger();
    ledger.onSignaturesFor = () => [
      recordOf(legacyWire(ONE, [addMemo('thanks')]), { err: { InstructionError: [0, { Custom: 1 }] } }),
      recordOf(legacyWire(ONE, []), { slot: 4699, index: 0 }),
    ];
    expect(await callForText(ledger, 'getSignaturesForAddress', `["${ONE}"]`)).toBe(
      '"result":[{"blockTime":1750000000,"confirmationStatus":"finalized",' +
        '"err":{"InstructionError":[0,{"Custom":1}]},"memo":"[6] thanks",' +
        `"signature":"${BEFORE}","slot":4700,"transactionIndex":3},` +
        '{"blockTime":1750000000,"confirmationStatus":"finalized","err":null,"memo":null,' +
        `"signature":"${BEFORE}","slot":4699,"transactionIndex":0}]`,
    );
  });

  it.each([
    [undefined, { address: ONE, limit: 1000 }],
    [{ limit: 1 }, { address: ONE, limit: 1 }],
    [
      { before: BEFORE, until: UNTIL, limit: 1000, commitment: 'confirmed', minContextSlot: 4711 },
      { address: ONE, before: BEFORE, until: UNTIL, limit: 1000 },
    ],
    [
      { before: null, until: null, limit: null },
      { address: ONE, limit: 1000 },
    ],
  ])('queries the history for %j', async (config, query) => {
    const ledger = new FixedLedger();
    expect(await callMethod(ledger, 'getSignaturesForAddress', ONE, config)).toEqual({ result: [] });
    expect(ledger.calls).toEqual([['signaturesFor', query]]);
  });

  it('names a bound that is not in the history', async () => {
    const ledger = new FixedLedger();
    ledger.onSignaturesFor = () => {
      throw new SignatureUnknown(UNTIL);
    };
    expect(await callMethod(ledger, 'getSignaturesForAddress', ONE, { until: UNTIL })).toEqual({
      error: { code: -32020, message: `Transaction ${UNTIL} not found` },
    });
  });

  it.each<[unknown[], object]>([
    [[ONE, { limit: 0 }], invalidParamsError('Invalid limit; max 1000')],
    [[ONE, { limit: 1001 }], invalidParamsError('Invalid limit; max 1000')],
    [['x', { limit: 0 }], invalidParamsError('Invalid param: WrongSize')],
    [[ONE, { before: 'l', limit: 0 }], invalidParamsError('Invalid param: Invalid')],
    [[ONE, { until: ONE }], invalidParamsError('Invalid param: WrongSize')],
    [
      [ONE, { commitment: 'processed' }],
      invalidParamsError('Method does not support commitment below `confirmed`'),
    ],
    [
      [ONE, { minContextSlot: 4712 }],
      { error: expect.objectContaining({ code: -32016, data: { contextSlot: 4711 } }) },
    ],
    [
      [ONE, 5],
      invalidParamsError(
        'Invalid params: invalid type: integer `5`, expected struct RpcSignaturesForAddressConfig.',
      ),
    ],
  ])('rejects %j', async (params, expected) => {
    expect(await callMethod(new FixedLedger(), 'getSignaturesForAddress', ...params)).toEqual(expected);
  });
});
