import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { parseAddress } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { LocalnetWallet } from './wallet.ts';

/** Logs a wallet in to the rollup of a chain; resolves with its bearer token. */
export async function logIn({ rollup }: Chain, wallet: LocalnetWallet): Promise<string> {
  const auth = rollup?.auth ?? null;
  if (auth === null) throw new ServiceError('AUTH_UNAVAILABLE', 'The rollup of localnet has no login');
  const owner = parseAddress(wallet.address, 'wallet');
  const challenge = await auth.challenge(owner);
  const signature = encodeBase58(wallet.sign(Buffer.from(challenge)));
  return (await auth.login({ owner, challenge, signature })).token;
}
