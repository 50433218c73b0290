import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** Clusters whose rollup answers private reads to the owner only have this in their names (hosted API). */
const PRIVATE_CLUSTER = /-private$/;

/**
 * Refuses a read without a token on a cluster that requires one.
 *
 * @throws {ServiceError} MISSING_AUTH_TOKEN.
 */
export function requireToken(chain: Chain, token: string | undefined): void {
  if (token !== undefined || !PRIVATE_CLUSTER.test(chain.cluster)) return;
  const { cluster: name } = chain;
  throw tokenNeeded(`cluster ${name} shows balances to their owners alone`, { cluster: name });
}

/**
 * The error for a private balance that requires a token.
 *
 * @param why the reason it is hidden.
 */
export const tokenNeeded = (why: string, known: Readonly<Record<string, string>>): ServiceError =>
  new ServiceError(
    'MISSING_AUTH_TOKEN',
    `authToken is required for private balance: ${why}; log in (GET /v1/spl/challenge, POST /v1/spl/login) and send the token as "Authorization: Bearer <token>"`,
    known,
  );
