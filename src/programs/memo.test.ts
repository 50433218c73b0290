import { describe, expect, it } from 'vitest';
import { addMemo } from './memo.ts';

describe('addMemo', () => {
  it.each([
    ['', ''],
    ['Order #1042', '4f72646572202331303432'],
    ['é€😀', 'c3a9e282acf09f9880'],
  ])('carries %j as UTF-8 and nothing else', (text, hex) => {
    const { accounts, data } = addMemo(text);
    expect(accounts).toEqual([]);
    expect(Buffer.from(data).toString('hex')).toBe(hex);
  });
});
