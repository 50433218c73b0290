import { describe, expect, it } from 'vitest';
import { Secret } from '../config/secret.ts';
import { openPrices } from './facilitator.ts';

const ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const PRICE = { amount: '1', mint: ADDRESS, payTo: ADDRESS };

const open = (prices: object, facilitatorSecretKey: Secret<string> | null = new Secret('[]')) =>
  openPrices({ prices: JSON.stringify(prices), facilitatorSecretKey });

describe('the prices of tools', () => {
  it('are none by default', () => {
    expect(openPrices({ prices: null, facilitatorSecretKey: null })).toBeNull();
  });

  it('need a facilitator', () => {
    expect(() => open({ 'spl.deposit': PRICE }, null)).toThrow(/PRICES needs a facilitator/);
    expect(open({ 'spl.deposit': PRICE })?.get('spl.deposit')).toEqual(PRICE);
  });

  it.each(['spl.login', 'spl.challenge', 'localnet.fund', 'deposit'])('cannot be set for %s', (tool) => {
    expect(() => open({ [tool]: PRICE })).toThrow(`${tool} cannot have a price`);
  });
});
