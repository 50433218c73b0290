import { describe, expect, it } from 'vitest';
import { remember } from '../accounts/deposit-accounts.ts';

describe('remember', () => {
  it('derives each cached key once, and drops the oldest key', () => {
    const derived: string[] = [];
    const lengthOf = remember(2, (key) => {
      derived.push(key);
      return key.length;
    });
    expect(['a', 'bb', 'a', 'bb'].map(lengthOf)).toEqual([1, 2, 1, 2]);
    expect(derived).toEqual(['a', 'bb']);
    expect(lengthOf('ccc')).toBe(3);
    expect(lengthOf('a')).toBe(1);
    expect(derived).toEqual(['a', 'bb', 'ccc', 'a']);
  });
});
