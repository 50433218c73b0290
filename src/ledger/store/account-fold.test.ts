import { describe, expect, it } from 'vitest';
import { AccountFold } from './account-fold.ts';
import { ACCOUNT_HEAD_BYTES } from './account-codec.ts';
import type { AccountPatch } from './account-patch.ts';

const address = Buffer.alloc(32, 1);
const LENGTH = ACCOUNT_HEAD_BYTES + 10;

/** Every byte of the head and the data byte at a place are `byte`. */
const patch = (byte: number, place: number): AccountPatch => ({
  head: Buffer.alloc(ACCOUNT_HEAD_BYTES, byte),
  length: LENGTH,
  at: ACCOUNT_HEAD_BYTES + place,
  bytes: Buffer.of(byte),
});

function foldOf(...values: readonly (Buffer | AccountPatch | null)[]): AccountFold {
  const fold = new AccountFold();
  for (const value of values) fold.add({ address, value });
  return fold;
}

const valuesOf = (fold: AccountFold, kept: Buffer | undefined): unknown => [
  ...fold.values(
    () => kept,
    (what) => new Error(what),
  ),
];

describe('the accounts of commits that follow each other', () => {
  it('are what was kept, with what changed since in order', () => {
    const kept = Buffer.alloc(LENGTH, 9);
    const expected = Buffer.alloc(LENGTH, 9).fill(3, 0, ACCOUNT_HEAD_BYTES);
    expected.set([1, 3], ACCOUNT_HEAD_BYTES + 4);
    expect(valuesOf(foldOf(patch(1, 4), patch(2, 5), patch(3, 5)), kept)).toEqual([[address, expected]]);
    // Others read it as well.
    expect(kept).toEqual(Buffer.alloc(LENGTH, 9));
  });

  it('are not looked for elsewhere where one was written as a whole', () => {
    const whole = Buffer.alloc(LENGTH);
    const expected = Buffer.alloc(LENGTH).fill(2, 0, ACCOUNT_HEAD_BYTES);
    expected[ACCOUNT_HEAD_BYTES] = 2;
    expect(valuesOf(foldOf(patch(1, 1), whole, patch(2, 0)), undefined)).toEqual([[address, expected]]);
    expect(valuesOf(foldOf(patch(1, 1), null), undefined)).toEqual([[address, null]]);
  });

  it.each([
    ['nothing', [patch(1, 1)], undefined],
    ['one of another length', [patch(1, 1)], Buffer.alloc(LENGTH - 1)],
    ['one that is gone', [null, patch(1, 1)], Buffer.alloc(LENGTH)],
  ])('are damaged where what changed is of %s', (_, values, kept) => {
    expect(() => valuesOf(foldOf(...values), kept)).toThrow(`changes ${LENGTH} bytes that are not there`);
  });
});
