import { expect, it } from 'vitest';
import { MapChain } from '../../../test/ports/map-chain.ts';
import { NATIVE_MINT, SYSTEM_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { readNamedAccounts } from './token-account.ts';

class CountingChain extends MapChain {
  readonly asked: (readonly Address[])[] = [];

  override getAccounts(addresses: readonly Address[]) {
    this.asked.push(addresses);
    return super.getAccounts(addresses);
  }
}

it('returns each account under its name, in one call, and does not read null addresses', async () => {
  const chain = new CountingChain();
  chain.put(NATIVE_MINT, { owner: SYSTEM_PROGRAM, data: Uint8Array.of(1) });
  const found = await readNamedAccounts(chain, { absent: USDC_MINT, needless: null, there: NATIVE_MINT });
  expect(found).toMatchObject({ absent: null, needless: null, there: { data: Uint8Array.of(1) } });
  expect(chain.asked).toEqual([[USDC_MINT, NATIVE_MINT]]);
});
