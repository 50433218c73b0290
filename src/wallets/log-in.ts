import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { isLoginOf } from '../chain/login-challenge.ts';
import { ServiceError } from '../errors/service-error.ts';
import { address } from '../payments/fields/fields.ts';
import type { Operation } from '../payments/operation.ts';
import type { Clock } from '../ports/clock.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { TestWallets } from './test-wallets.ts';

const input = z.strictObject({ wallet: address('The test wallet that logs in.') });
const output = z.object({
  wallet: z.string().meta({ description: 'The wallet that is logged in.' }),
});

type Input = z.infer<typeof input>;

/**
 * Logs a test wallet in to the rollup. The token stays beside the key, so that no transcript has it. Errors:
 * INVALID_ARGUMENTS for what is no test wallet, AUTH_UNAVAILABLE without a login service, UPSTREAM_INVALID
 * where the text to sign is no login of the wallet, of now: another rollup's texts are not signed unread.
 */
export function createLogIn(
  wallets: TestWallets,
  chain: Chain,
  clock: Clock,
): Operation<Input, z.infer<typeof output>> {
  return {
    namespace: 'localnet',
    name: 'login',
    title: 'Log a test wallet in to the rollup',
    description:
      'Logs a test wallet in to the rollup of localnet, so that spl.getPrivateBalance and others may read what is its own. The bearer token stays inside this server. A login that has expired is renewed by another call.',
    effect: 'local',
    input: input as z.ZodType<Input>,
    output,
    async run({ wallet }) {
      const keypair = wallets.require(wallet);
      const auth = chain.rollup?.auth ?? null;
      if (auth === null) throw new ServiceError('AUTH_UNAVAILABLE', 'The rollup of localnet has no login');
      const challenge = await auth.challenge(wallet);
      if (!(await isLoginOf(wallet, challenge, chain, clock))) {
        throw new ServiceError(
          'UPSTREAM_INVALID',
          `The rollup wants ${wallet} to sign a text that is no login of this wallet, of now: it was not signed`,
        );
      }
      const signature = encodeBase58(keypair.sign(Buffer.from(challenge)));
      const { token } = await auth.login({ owner: wallet, challenge, signature });
      wallets.keepToken(wallet, token);
      return {
        output: { wallet },
        sentences: ['Logged in.', `Private reads for ${wallet} on localnet now use its login.`],
      };
    },
  };
}
