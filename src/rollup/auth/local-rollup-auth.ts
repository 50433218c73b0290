import type { AuthToken, LoginProof, RollupAuth } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import { describeLoginFault } from './describe-login-fault.ts';
import type { LoginService } from './login-service.ts';

/** The login of the rollup in this process, for the payment operations. */
export function createRollupAuth(logins: LoginService): RollupAuth {
  return {
    async challenge(owner: Address): Promise<string> {
      return logins.challenge(owner);
    },
    async login(proof: LoginProof): Promise<AuthToken> {
      const answer = logins.login(proof);
      if (typeof answer !== 'string') return answer;
      const what = `The rollup refused the login: ${describeLoginFault(answer)}`;
      throw new ServiceError(
        'AUTH_REFUSED',
        `${what}; ask for a new challenge and sign it with the key of pubkey`,
      );
    },
    async authorizedUsers(account: Address, token: string): Promise<readonly Address[] | null> {
      if (logins.readerOf(token) !== undefined) return logins.readersOf(account);
      throw new ServiceError(
        'AUTH_REFUSED',
        'The token is not one of this rollup, or has expired; log in again',
      );
    },
  };
}
