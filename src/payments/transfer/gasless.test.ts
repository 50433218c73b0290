import { describe, expect, it } from 'vitest';
import type { Network } from '../../chain/chain.ts';
import { NATIVE_MINT, USDC_DEVNET_MINT, USDC_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import { sponsorFor } from './fees.ts';

const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const NAMED_MINT = '6QxLzE2KfM1NAB7sTzUPk4cNsA6V9fB3eYq9s6d9r9hP' as Address;
const FROM = '8RzHqGSjJnKayxwwRERRPrdXVn69nfM2eg5v63Qxz2vL' as Address;
const sponsor: Sponsor = {
  address: '5wAwJpWRgrMdc7jermX9HgMdouxcDcDRcZPxDFJgW3vw' as Address,
  customMints: [NAMED_MINT, NATIVE_MINT],
  cosign: async () => new Uint8Array(64),
};

describe('sponsorFor', () => {
  it.each<[Network, Address, boolean]>([
    ['mainnet', USDC_MINT, true],
    ['mainnet', USDT_MINT, true],
    ['mainnet', USDC_DEVNET_MINT, false],
    ['mainnet', NATIVE_MINT, false],
    ['devnet', USDC_DEVNET_MINT, true],
    ['devnet', USDC_MINT, false],
    ['localnet', USDC_MINT, true],
    ['localnet', USDC_DEVNET_MINT, true],
    ['localnet', NATIVE_MINT, false],
    ['custom', USDC_MINT, false],
    ['custom', NAMED_MINT, true],
    ['custom', NATIVE_MINT, false],
  ])('on %s supports mint %s: %s', (network, mint, approved) => {
    const ask = () => sponsorFor({ from: FROM, mint, amount: 500_000n }, network, sponsor);
    if (approved) expect(ask()).toBe(sponsor);
    else expect(ask).toThrow('gasless is supported only for approved stablecoin mints');
  });

  it('requires at least half a token', () => {
    const ask = () => sponsorFor({ from: FROM, mint: USDC_MINT, amount: 499_999n }, 'mainnet', sponsor);
    expect(ask).toThrow('gasless amount must be at least 0.5 USDC/USDT');
    expect(ask).toThrow(expect.objectContaining({ code: 'INVALID_GASLESS_TRANSFER_AMOUNT' }));
  });

  it('reports a missing sponsor only if nothing else is wrong', () => {
    const ask = (amount: bigint) => () =>
      sponsorFor({ from: FROM, mint: USDC_MINT, amount }, 'mainnet', undefined);
    expect(ask(500_000n)).toThrow(expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE', httpStatus: 503 }));
    expect(ask(1n)).toThrow(expect.objectContaining({ code: 'INVALID_GASLESS_TRANSFER_AMOUNT' }));
  });

  it('rejects the sponsor itself as the sender (bug: anyone could have all its tokens signed away)', () => {
    const own = { from: sponsor.address, mint: USDC_MINT, amount: 500_000n };
    for (const network of ['mainnet', 'localnet'] as const) {
      expect(() => sponsorFor(own, network, sponsor)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENTS', context: { field: 'from' } }),
      );
    }
  });

  it('rejects a mint of a custom network that the operator did not name (bug: any mint was accepted)', () => {
    const { customMints: _, ...unnamed } = sponsor;
    const ask = () => sponsorFor({ from: FROM, mint: NAMED_MINT, amount: 500_000n }, 'custom', unnamed);
    expect(ask).toThrow(expect.objectContaining({ code: 'INVALID_GASLESS_TRANSFER_MINT' }));
  });
});
