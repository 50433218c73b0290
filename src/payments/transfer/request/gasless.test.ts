import { describe, expect, it } from 'vitest';
import type { Network } from '../../../chain/chain.ts';
import { NATIVE_MINT, USDC_DEVNET_MINT, USDC_MINT } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { sponsorFor } from './gasless.ts';
import type { Sponsor } from '../../fees/sponsor.ts';

const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const sponsor: Sponsor = { address: USDC_MINT, cosign: () => new Uint8Array(64) };

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
    ['custom', NATIVE_MINT, true],
  ])('on %s knows mint %s: %s', (network, mint, approved) => {
    const ask = () => sponsorFor({ mint, amount: 500_000n }, network, sponsor);
    if (approved) expect(ask()).toBe(sponsor);
    else expect(ask).toThrow('gasless is supported only for approved stablecoin mints');
  });

  it('asks for half a token at least', () => {
    const ask = () => sponsorFor({ mint: USDC_MINT, amount: 499_999n }, 'mainnet', sponsor);
    expect(ask).toThrow('gasless amount must be at least 0.5 USDC/USDT');
    expect(ask).toThrow(expect.objectContaining({ code: 'INVALID_GASLESS_TRANSFER_AMOUNT' }));
  });

  it('tells of a service without a sponsor only when nothing else is wrong', () => {
    const ask = (amount: bigint) => () => sponsorFor({ mint: USDC_MINT, amount }, 'mainnet', undefined);
    expect(ask(500_000n)).toThrow(expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE', httpStatus: 503 }));
    expect(ask(1n)).toThrow(expect.objectContaining({ code: 'INVALID_GASLESS_TRANSFER_AMOUNT' }));
  });
});
