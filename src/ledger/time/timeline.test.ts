import { describe, expect, it } from 'vitest';
import { SLOT_HASHES_SYSVAR } from '../../programs/sysvars.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { Blockhashes } from './blockhashes.ts';
import { Timeline } from './timeline.ts';

const blockhashSeed = new SeededRandom('timeline').bytes(32);
const BEGAN_MS = 1_767_225_600_000;

function start(): { clock: HandClock; timeline: Timeline } {
  const clock = new HandClock(BEGAN_MS);
  const anchors = [{ slot: 512, unixMs: BEGAN_MS, slotMs: 400, afterSlot: 511 }];
  return { clock, timeline: new Timeline(clock, { anchors, blockhashSeed, lamportsPerSignature: 5_000n }) };
}

/** Slots and hashes of the SlotHashes sysvar. */
function slotHashes(timeline: Timeline): [number, Buffer][] {
  const sysvar = timeline.sysvars().find(([address]) => address === SLOT_HASHES_SYSVAR);
  const data = Buffer.from(sysvar?.[1].data ?? []);
  return Array.from({ length: Number(data.readBigUInt64LE()) }, (_, entry) => {
    const at = 8 + entry * 40;
    return [Number(data.readBigUInt64LE(at)), data.subarray(at + 8, at + 40)];
  });
}

function travel(timeline: Timeline, target: { readonly slot: number; readonly unixMs?: number }): void {
  timeline.jump(timeline.planJump(target));
}

describe('Timeline', () => {
  it('reports the same time for a slot now and later', () => {
    const { clock, timeline } = start();
    const random = new SeededRandom('passing');
    const told = new Map<number, number>();
    for (let step = 0; step < 500; step++) {
      clock.pass(random.integer(4_000) - (random.integer(10) === 0 ? 60_000 : 0));
      timeline.advance();
      if (random.integer(20) === 0) timeline.pause();
      if (random.integer(10) === 0) timeline.resume();
      if (random.integer(50) === 0) travel(timeline, { slot: timeline.slot + 1 + random.integer(1_000) });
      told.set(timeline.slot, timeline.unixTimestamp);
    }
    expect(told.size).toBeGreaterThan(200);
    for (const [slot, time] of told) expect(timeline.timeOf(slot)).toBe(time);
    const times = [...told.values()];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('has a new anchor when slots are counted from another point', () => {
    const { clock, timeline } = start();
    const { anchor } = timeline;
    clock.pass(4_000);
    timeline.advance();
    expect(timeline.anchor).toBe(anchor);
    clock.pass(-60_000);
    timeline.advance();
    clock.pass(400);
    timeline.advance();
    expect(timeline.anchor).toEqual({
      slot: 523,
      unixMs: BEGAN_MS + 4_000 - 60_000 + 400,
      slotMs: 400,
      afterSlot: 522,
      aheadMs: 0,
    });
  });

  it('enters no slot above the limit, and reports the slot of the clock', () => {
    const { clock, timeline } = start();
    clock.pass(4_000);
    expect(timeline.advance(515)).toBe(true);
    expect([timeline.slot, timeline.blockHeight, timeline.due]).toEqual([515, 515, 522]);
    expect(timeline.advance(515)).toBe(false);
    expect(timeline.advance(514)).toBe(false);
    expect(timeline.slot).toBe(515);
    timeline.advance(600);
    expect([timeline.slot, timeline.blockHeight, timeline.due]).toEqual([522, 522, 522]);
  });

  it('leaves a paused slot no remaining time once it is over', () => {
    const { clock, timeline } = start();
    clock.pass(4_000);
    timeline.advance(515);
    timeline.pause();
    clock.pass(4_000);
    timeline.resume();
    timeline.advance();
    expect(timeline.slot).toBe(516);
  });
});

describe('traveling', () => {
  it('jumps over slots, and ages nothing that is counted in blocks', () => {
    const { timeline } = start();
    const { blockhash } = timeline;
    travel(timeline, { slot: 1_000_000 });
    expect([timeline.slot, timeline.blockHeight]).toEqual([1_000_000, 513]);
    expect(timeline.ageOf(blockhash)).toBe(1);
    expect(timeline.blocksSince(512)).toBe(1);
    expect(timeline.blocksSince(2_000)).toBeUndefined();
    expect(timeline.unixTimestamp).toBe(Math.floor((BEGAN_MS + (1_000_000 - 512) * 400) / 1_000));
    expect(timeline.slotsBetween(511, Infinity, 10)).toEqual([511, 512, 1_000_000]);
  });

  it('keeps the hashes of the blocks before it in the sysvar, under their own slots', () => {
    const { clock, timeline } = start();
    travel(timeline, { slot: 9_000 });
    clock.pass(800);
    timeline.advance();
    const hashes = slotHashes(timeline);
    expect(hashes.map(([slot]) => slot)).toEqual([
      9_001,
      9_000,
      ...Array.from({ length: 510 }, (_, entry) => 512 - entry),
    ]);
    const blockhashes = new Blockhashes(blockhashSeed, 515);
    expect(hashes[1]?.[1]).toEqual(blockhashes.at(513));
    expect(Buffer.from(decodeBase58(timeline.blockhashAt(513)))).toEqual(blockhashes.at(513));
    expect(hashes[2]?.[1]).toEqual(blockhashes.at(512));
  });

  it('continues from a given time', () => {
    const { clock, timeline } = start();
    const later = BEGAN_MS + 86_400_000 * 365;
    travel(timeline, { slot: 600, unixMs: later });
    expect(timeline.unixTimestamp).toBe(later / 1_000);
    clock.pass(2_000);
    timeline.advance();
    expect(timeline.unixTimestamp).toBe(later / 1_000 + 2);
  });

  it.each([
    ['the current slot', { slot: 522 }],
    ['an earlier slot', { slot: 100 }],
    ['a slot that is too large', { slot: 2 ** 52 + 1, unixMs: BEGAN_MS + 1e9 }],
    ['a fraction of a slot', { slot: 600.5 }],
    ['a value that is not a slot', { slot: NaN }],
    ['the current time', { slot: 600, unixMs: BEGAN_MS + 4_000 }],
    ['an earlier time', { slot: 600, unixMs: 0 }],
    ['a time that is too large', { slot: 600, unixMs: 8.64e15 + 1 }],
  ])('does not go to %s', (_, target) => {
    const { clock, timeline } = start();
    clock.pass(4_000);
    timeline.advance();
    expect(() => travel(timeline, target)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS' }));
    expect(timeline.slot).toBe(522);
  });
});
