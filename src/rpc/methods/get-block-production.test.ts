import { describe, expect, it } from 'vitest';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf } from '../testing/records.ts';
import { addressFilledWith } from '../testing/transactions.ts';

/** A ledger that remembers from slot 4,000 on and was taken from 4,100 to 4,200 at once. */
const ledger = new FixedLedger();
ledger.firstKeptSlot = 4_000;
for (let slot = 4_000; slot <= 4_711; slot++) {
  if (slot <= 4_100 || slot >= 4_200) ledger.blocks.set(slot, blockOf(slot));
}
const { identity } = ledger;

const answer = (byIdentity: object, firstSlot: number, lastSlot: number): object => ({
  result: {
    context: { apiVersion: '4.2.1', slot: 4_711 },
    value: { byIdentity, range: { firstSlot, lastSlot } },
  },
});

describe('getBlockProduction', () => {
  it.each<[unknown, object]>([
    [undefined, answer({ [identity]: [712, 613] }, 4_000, 4_711)],
    [{ commitment: 'processed' }, answer({ [identity]: [712, 613] }, 4_000, 4_711)],
    [
      { identity, range: { firstSlot: 4_050, lastSlot: 4_150 } },
      answer({ [identity]: [101, 51] }, 4_050, 4_150),
    ],
    [{ range: { firstSlot: 4_700, lastSlot: null } }, answer({ [identity]: [12, 12] }, 4_700, 4_711)],
    [{ identity: addressFilledWith(3) }, answer({}, 4_000, 4_711)],
  ])('answers %j', async (config, expected) => {
    expect(await callMethod(ledger, 'getBlockProduction', config)).toEqual(expected);
  });

  it('begins with the epoch', async () => {
    const late = new FixedLedger();
    late.head = () => ({ slot: 432_009, blockHeight: 1, blockhash: 'x', lastValidBlockHeight: 1 });
    expect(await callMethod(late, 'getBlockProduction')).toMatchObject({
      result: { value: { range: { firstSlot: 432_000, lastSlot: 432_009 } } },
    });
  });

  it.each<[object, string]>([
    [{ firstSlot: 4_100, lastSlot: 4_099 }, 'lastSlot, 4099, cannot be less than firstSlot, 4100'],
    [{ firstSlot: 3_999 }, 'firstSlot, 3999, is too small; min 4000'],
    [{ firstSlot: 4_000, lastSlot: 4_712 }, 'lastSlot, 4712, is too large; max 4711'],
    [{ lastSlot: 4_712 }, 'Invalid params: missing field `firstSlot`.'],
  ])('refuses the range %j', async (range, message) => {
    expect(await callMethod(ledger, 'getBlockProduction', { range })).toEqual(invalidParamsError(message));
  });

  it('refuses an identity that is no address', async () => {
    expect(await callMethod(ledger, 'getBlockProduction', { identity: 'x' })).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
