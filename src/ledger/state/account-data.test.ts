import { describe, expect, it } from 'vitest';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import { accountOf } from '../testing/make-account.ts';
import {
  changedData,
  copyData,
  dataLength,
  haveSameData,
  isInPieces,
  leadingData,
  withBytesAt,
} from './account-data.ts';
import { isDifferent } from './differences.ts';

const data = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);
const expected = new Uint8Array(data);
expected.set([1, 2, 3], 9_000);
/** Another at each call: one that was written from is noted. */
const plain = () => accountOf(BPF_LOADER_UPGRADEABLE, new Uint8Array(data), 7n);

describe('an account that was written in part', () => {
  it('is the account with that part replaced, and the one it was made from stays as it is', () => {
    const before = plain();
    const after = withBytesAt(before, 9_000, Uint8Array.of(1, 2, 3));
    expect(after).toEqual(accountOf(BPF_LOADER_UPGRADEABLE, expected, 7n));
    expect(before).toEqual(plain());
    expect(isDifferent(before, plain())).toBe(false);
    expect(isDifferent(after, before)).toBe(true);
    expect(isDifferent(withBytesAt(after, 9_000, data.subarray(9_000, 9_003)), before)).toBe(false);
  });

  it('has its data in copies as well, which are accounts like any other', () => {
    const after = withBytesAt(plain(), 9_000, Uint8Array.of(1, 2, 3));
    const copy = { ...after, lamports: 8n };
    expect(Buffer.compare(copy.data, expected)).toBe(0);
    const other = { ...after, data: new Uint8Array(5) };
    expect([isInPieces(copy), isInPieces(other), dataLength(other)]).toEqual([false, false, 5]);
  });

  it.each([
    ['beside the account it was made from', true],
    ['beside one it has nothing to do with', false],
  ])('is told of without being put together, %s', (_, isMade) => {
    const before = plain();
    const after = withBytesAt(isMade ? before : plain(), 9_000, Uint8Array.of(1, 2, 3));
    expect(dataLength(after)).toBe(data.length);
    expect(leadingData(after, 36)).toEqual(data.slice(0, 36));
    expect(copyData(after, { from: 8_999, to: 9_004 })).toEqual(expected.slice(8_999, 9_004));
    expect(changedData(before, after)).toEqual({ from: 9_000, to: 9_003 });
    expect([haveSameData(before, after), haveSameData(after, after)]).toEqual([false, true]);
  });
});

describe('any other account', () => {
  it('is told of by its data', () => {
    const [account, other] = [plain(), accountOf(BPF_LOADER_UPGRADEABLE, expected, 7n)];
    expect([isInPieces(account), dataLength(account)]).toEqual([false, data.length]);
    expect(leadingData(account, 99_999)).toEqual(data);
    expect(changedData(account, other)).toEqual({ from: 9_000, to: 9_003 });
    expect([haveSameData(account, other), haveSameData(account, plain())]).toEqual([false, true]);
    copyData(account, { from: 0, to: 9 }).fill(0);
    expect(account).toEqual(plain());
  });
});
