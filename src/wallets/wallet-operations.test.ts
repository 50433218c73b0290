import { expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { TestWallets } from './test-wallets.ts';
import { createWalletOperations, WALLET_TOOLS } from './wallet-operations.ts';

it('match the tools that settings may name', () => {
  const never = (): Promise<never> => Promise.reject(new Error('not called'));
  const operations = createWalletOperations({
    wallets: new TestWallets(systemRandom),
    chain: new MapChain(),
    faucet: { airdrop: never, airdropTokens: never },
    send: never,
    check: null,
    waiting: { clock: systemClock, sleep: never },
  });
  expect(operations.map(({ name }) => name)).toEqual(WALLET_TOOLS);
  expect(new Set(operations.map(({ namespace }) => namespace))).toEqual(new Set(['localnet']));
});
