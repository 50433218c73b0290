import { expect, it } from 'vitest';
import { MapChain, MapRollup } from '../../test/ports/map-chain.ts';
import { challengeText } from '../chain/login-challenge.ts';
import { SeededBytes } from '../ports/random.ts';
import type { Address } from '../solana/address.ts';
import { TestWallets } from './test-wallets.ts';
import { createLogIn } from './wallet-operations.ts';

const NOW_S = 1_767_225_600;

/** A wallet at a rollup that wants this text signed. */
function begin(textFor: (wallet: Address) => string) {
  const wallets = new TestWallets(new SeededBytes('log-in'));
  const wallet = wallets.create();
  const signatures: string[] = [];
  const auth = {
    challenge: (owner: Address) => Promise.resolve(textFor(owner)),
    login: async ({ signature }: { readonly signature: string }) => {
      signatures.push(signature);
      return { token: 'token', expiresAt: null };
    },
    authorizedUsers: () => Promise.resolve(null),
  };
  const chain = new MapChain();
  chain.rollup = Object.assign(new MapRollup(), { auth });
  const operation = createLogIn(wallets, chain, { now: () => NOW_S * 1_000 });
  const logIn = () => operation.run({ wallet }, { token: undefined });
  return { logIn, signatures, token: () => wallets.tokenOf(wallet) };
}

it('logs a test wallet in, and keeps the token', async () => {
  const { logIn, token } = begin((wallet) => challengeText(wallet, NOW_S));
  await logIn();
  expect(token()).toBe('token');
});

it.each([
  ['another text', (wallet: Address) => `I, ${wallet}, owe the bearer 5 USDC.`],
  ['a future login', (wallet: Address) => challengeText(wallet, NOW_S + 3_600)],
])('does not sign %s for a login to a rollup (bug: it signed any text)', async (_, textFor) => {
  const { logIn, signatures, token } = begin(textFor);
  await expect(logIn()).rejects.toMatchObject({ code: 'UPSTREAM_INVALID' });
  expect([signatures, token()]).toEqual([[], undefined]);
});
