import { describe, expect, it } from 'vitest';
import { SignedMessages } from './signed-messages.ts';

const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
const life = { ledger: 'http://base.test', height: 100, lastHeight: 250 };

describe('a message that was signed', () => {
  it('belongs to one payment, even while it is being checked', () => {
    const signed = new SignedMessages();
    expect([signed.claim(one), signed.claim(one), signed.claim(other)]).toEqual([true, false, true]);
  });

  it('is free again if nothing was signed', () => {
    const signed = new SignedMessages();
    signed.claim(one);
    signed.release(one);
    expect(signed.claim(one)).toBe(true);
  });

  it('is recorded until it can no longer land on its own ledger', () => {
    const signed = new SignedMessages();
    signed.claim(one);
    signed.record(one, life);
    signed.record(other, { ledger: 'http://rollup.test', height: 9_000, lastHeight: 9_150 });
    signed.record(other, { ...life, height: 250, lastHeight: 400 });
    expect(signed.claim(one)).toBe(false);
    signed.record(other, { ...life, height: 251, lastHeight: 401 });
    expect(signed.claim(one)).toBe(true);
  });
});
