import { describe, expect, it } from 'vitest';
import { readPrices } from './prices.ts';

const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const PRICE = { amount: '10000', mint: ADDRESS, payTo: ADDRESS };

const read = (prices: unknown) => readPrices(JSON.stringify(prices), ['spl.deposit', 'spl.transfer']);

describe('readPrices', () => {
  it('reads the prices of tools', () => {
    const secret = { ...PRICE, network: 'solana', settlement: 'private' };
    expect([...read({ 'spl.deposit': PRICE, 'spl.transfer': secret })]).toEqual([
      ['spl.deposit', PRICE],
      ['spl.transfer', secret],
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a tool that does not exist', { 'spl.pay': PRICE }, 'the tools are spl.deposit, spl.transfer'],
    ['an amount in tokens', { 'spl.deposit': { ...PRICE, amount: '0.01' } }, 'spl.deposit.amount'],
    ['nothing to pay', { 'spl.deposit': { ...PRICE, amount: '0' } }, 'spl.deposit.amount'],
    ['an address that is none', { 'spl.deposit': { ...PRICE, payTo: 'me' } }, 'spl.deposit.payTo'],
    ['a misspelled member', { 'spl.deposit': { ...PRICE, payto: ADDRESS } }, 'payto'],
    ['a list', [PRICE], 'it:'],
  ])('rejects %s', (_, prices, words) => {
    expect(() => read(prices)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) }),
    );
  });

  it('rejects a file that is not JSON', () => {
    expect(() => readPrices('{', [])).toThrow('it is not JSON');
  });
});
