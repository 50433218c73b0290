import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../ledger/store/memory-store.ts';
import { emptyGenesis, openTestLedger } from '../../ledger/testing/test-ledger.ts';
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
    [undefined, answer({ [identity]: [4_712, 613] }, 0, 4_711)],
    [{ commitment: 'processed' }, answer({ [identity]: [4_712, 613] }, 0, 4_711)],
    [
      { identity, range: { firstSlot: 4_050, lastSlot: 4_150 } },
      answer({ [identity]: [101, 51] }, 4_050, 4_150),
    ],
    [{ range: { firstSlot: 4_700, lastSlot: null } }, answer({ [identity]: [12, 12] }, 4_700, 4_711)],
    [{ identity: addressFilledWith(3) }, answer({}, 0, 4_711)],
  ])('answers %j', async (config, expected) => {
    expect(await callMethod(ledger, 'getBlockProduction', config)).toEqual(expected);
  });

  it('counts every slot from 0 on, including dropped ones', async () => {
    const store = new MemoryStore({ transactionsMax: 1 });
    const world = await openTestLedger({ genesis: emptyGenesis, place: { store } });
    const ask = (range?: object): Promise<object> =>
      callMethod(world.ledger, 'getBlockProduction', range && { range });
    const produced = (range: readonly number[]): object => ({
      result: { value: { byIdentity: { [world.ledger.identity]: range } } },
    });
    expect(await ask({ firstSlot: 0 })).toMatchObject(produced([513, 513]));
    expect(await ask()).toMatchObject(produced([513, 513]));
    await world.ledger.travelTo({ slot: 1_000 });
    expect(await ask({ firstSlot: 0 })).toMatchObject(produced([1_001, 514]));
    expect(await ask({ firstSlot: 600, lastSlot: 999 })).toMatchObject(produced([400, 0]));
    expect(await ask({ firstSlot: 512, lastSlot: 512 })).toMatchObject(produced([1, 1]));
  });

  it('covers the slots of the history, 1,048,576', async () => {
    const late = new FixedLedger();
    late.head = () => ({ slot: 2_000_000, blockHeight: 1, blockhash: 'x', lastValidBlockHeight: 1 });
    const range = (firstSlot: number): object => ({ range: { firstSlot } });
    expect(await callMethod(late, 'getBlockProduction', range(951_425))).toHaveProperty('result');
    expect(await callMethod(late, 'getBlockProduction', range(951_424))).toEqual(
      invalidParamsError('firstSlot, 951424, is too small; min 951425'),
    );
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
    [{ firstSlot: 4_000, lastSlot: 4_712 }, 'lastSlot, 4712, is too large; max 4711'],
    [{ lastSlot: 4_712 }, 'Invalid params: missing field `firstSlot`.'],
  ])('rejects the range %j', async (range, message) => {
    expect(await callMethod(ledger, 'getBlockProduction', { range })).toEqual(invalidParamsError(message));
  });

  it('rejects an identity that is not an address', async () => {
    expect(await callMethod(ledger, 'getBlockProduction', { identity: 'x' })).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
