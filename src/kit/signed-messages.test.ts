import { describe, expect, it } from 'vitest';
import { SignedMessages } from './signed-messages.ts';

const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
const life = { ledger: 'http://base.test', height: 100, lastHeight: 250 };

describe('a message that was signed', () => {
  it('is nobody else’s, even while it is only checked', () => {
    const signed = new SignedMessages();
    expect([signed.claim(one), signed.claim(one), signed.claim(other)]).toEqual([true, false, true]);
  });

  it('is free again where nothing was signed', () => {
    const signed = new SignedMessages();
    signed.claim(one);
    signed.release(one);
    expect(signed.claim(one)).toBe(true);
  });

  it('is kept until it can no longer land on its own ledger', () => {
    const signed = new SignedMessages();
    signed.claim(one);
    signed.keep(one, life);
    signed.keep(other, { ledger: 'http://rollup.test', height: 9_000, lastHeight: 9_150 });
    signed.keep(other, { ...life, height: 250, lastHeight: 400 });
    expect(signed.claim(one)).toBe(false);
    signed.keep(other, { ...life, height: 251, lastHeight: 401 });
    expect(signed.claim(one)).toBe(true);
  });
});
