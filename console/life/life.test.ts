import { describe, expect, it } from 'vitest';
import { deedOf, type Deed } from '../history/deed.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { commit, ephemeral, landed, transfer } from '../testing/transactions.ts';
import { cycleOf } from './cycle.ts';
import { stepSentence } from './step-words.ts';
import { stepsOf, type Step, type StepFacts } from './steps.ts';

const deposit = (slot: number, time: number): Deed =>
  deedOf(
    'base',
    landed([ephemeral(2)], { slot, time, inner: [transfer('a', 'vault', '3500000', 'mint')] }),
    null,
  );
const settlement = (slot: number, time: number): Deed =>
  deedOf('base', landed([commit('eata', 2_250_000n)], { slot, time }), 'eata');
const withdrawal = (slot: number, time: number): Deed =>
  deedOf(
    'base',
    landed([ephemeral(3)], { slot, time, inner: [transfer('vault', 'a', '2250000', 'mint')] }),
    null,
  );
const payment = (slot: number, time: number, signature = 'payment'): Deed =>
  deedOf('rollup', landed([transfer('a', 'b', '1250000')], { slot, time, signature }), null);
const undelegation = (slot: number, time: number): Deed =>
  deedOf('rollup', landed([ephemeral(5)], { slot, time }), null);

const BASE = [withdrawal(714, 111), settlement(714, 110), deposit(708, 100)];
const ROLLUP = [undelegation(2_127, 110), payment(2_103, 105)];

describe('the life of a payment', () => {
  it('consists of the deposit before it and what came after', () => {
    const cycle = cycleOf(BASE, ROLLUP, 'payment');
    expect(Object.values(cycle).map((deed: Deed | null) => deed?.slot)).toEqual([
      708, 2_103, 2_127, 714, 714,
    ]);
  });

  it('excludes what a later deposit started', () => {
    const later = [withdrawal(900, 220), settlement(890, 215), deposit(800, 200)];
    const cycle = cycleOf([...later, ...BASE], [payment(4_000, 210, 'other'), ...ROLLUP], 'payment');
    expect([cycle.deposit?.slot, cycle.settlement?.slot, cycle.withdrawal?.slot]).toEqual([708, 714, 714]);
    const second = cycleOf([...later, ...BASE], [payment(4_000, 210, 'other'), ...ROLLUP], 'other');
    expect([second.deposit?.slot, second.settlement?.slot, second.withdrawal?.slot]).toEqual([800, 890, 900]);
  });

  it('is empty if nothing is known about it', () => {
    expect(Object.values(cycleOf([], [], null))).toEqual([null, null, null, null, null]);
  });
});

function steps(as: Viewpoint, change: Partial<StepFacts> = {}): readonly Step[] {
  return stepsOf({
    as,
    payer: 'Alice',
    payee: 'Bob',
    unit: 'USDC',
    cycle: cycleOf(BASE, as === 'owner' ? ROLLUP : [], 'payment'),
    status: as === 'base' ? null : { slot: 2_103, hasFailed: false },
    settling: 'no',
    ...change,
  });
}

describe('the steps of a payment', () => {
  it('are seven for the owner, with every amount and every transaction', () => {
    expect(steps('owner').map(({ state, amount }) => [state, amount])).toEqual([
      ['landed', 3_500_000n],
      ['landed', null],
      ['private', 3_500_000n],
      ['private', 1_250_000n],
      ['private', null],
      ['landed', 2_250_000n],
      ['landed', 2_250_000n],
    ]);
  });

  it.each(['base', 'anyone'] as const)('show %s nothing private', (as) => {
    const hidden = steps(as).filter(({ isPrivate }) => isPrivate);
    expect(hidden.map(({ number }) => number)).toEqual([3, 4, 5]);
    expect(hidden.every(({ amount, deed }) => amount === null && deed === null)).toBe(true);
    const text = JSON.stringify(hidden);
    expect([/Alice/, /Bob/, /1250000/, /2103/].filter((secret) => secret.test(text))).toEqual([]);
  });

  it('have no arrow from the wallet for anyone: the payment starts at the edge of the rollup', () => {
    expect(steps('anyone').map(({ arrow }) => arrow)).toEqual([
      'whole',
      'whole',
      'none',
      'stub',
      'none',
      'whole',
      'whole',
    ]);
    expect(steps('base').map(({ arrow }) => arrow)).toEqual([
      'whole',
      'whole',
      'none',
      'none',
      'none',
      'whole',
      'whole',
    ]);
  });

  it('do not reveal to anyone without the signature that something landed', () => {
    expect(steps('anyone', { status: null })[3]).toMatchObject({
      title: 'Hidden',
      arrow: 'none',
      isVoid: false,
    });
  });

  it('are waiting, in progress or stalled, and never shown as done too early', () => {
    const waiting = cycleOf([deposit(708, 100)], [undelegation(2_127, 110)], null);
    const state = (settling: StepFacts['settling']) =>
      steps('owner', { cycle: waiting, settling })
        .slice(5)
        .map((step) => step.state);
    expect(state('no')).toEqual(['waiting', 'waiting']);
    expect(state('waiting')).toEqual(['sent', 'waiting']);
    expect(state('stalled')).toEqual(['stalled', 'waiting']);
  });

  it('that landed and failed say so, and leave the later ones waiting', () => {
    const failed = { ...deposit(708, 100), hasFailed: true };
    const told = steps('owner', {
      cycle: { deposit: failed, payment: null, undelegation: null, settlement: null, withdrawal: null },
    });
    expect(told.map(({ state }) => state)).toEqual(['failed', 'failed', ...Array<string>(5).fill('waiting')]);
  });

  it('read as sentences without the lanes', () => {
    expect(stepSentence(steps('owner')[3] as Step, 'Alice', '1.25 USDC')).toBe(
      '4. Alice pays Bob 1.25 USDC, Alice to Rollup, landed, Alice and Bob',
    );
    expect(stepSentence(steps('anyone')[2] as Step, 'Alice', '')).toBe('3. Balance on the rollup, hidden');
  });
});
