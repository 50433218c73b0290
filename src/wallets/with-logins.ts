import type { Clusters } from '../chain/clusters.ts';
import type { Operation, OperationCaller } from '../payments/operation.ts';
import { isAddress } from '../solana/address.ts';
import type { TestWallets } from './test-wallets.ts';

/** The members that name whose tokens an operation is about. */
const OWNERS = ['address', 'owner', 'from', 'payer'] as const;

/**
 * The operation, run with the login of the test wallet that it is about, for callers that bring no token of
 * their own. On localnet only: no other cluster gets to see its token.
 */
export function withLogins(operation: Operation, wallets: TestWallets, clusters: Clusters): Operation {
  return {
    ...operation,
    run: (input, caller) => operation.run(input, asOwner(input, caller)),
  };

  function asOwner(input: unknown, caller: OperationCaller): OperationCaller {
    if (caller.token !== undefined || typeof input !== 'object' || input === null) return caller;
    const members = new Map<string, unknown>(Object.entries(input));
    const owner = OWNERS.map((name) => members.get(name)).find((value) => value !== undefined);
    if (typeof owner !== 'string' || !isAddress(owner) || !isLocalnet(members.get('cluster'))) return caller;
    return { ...caller, token: wallets.tokenOf(owner) };
  }

  function isLocalnet(name: unknown): boolean {
    if (name === undefined) return clusters.names[0] === 'localnet';
    return typeof name === 'string' && name.trim().toLowerCase() === 'localnet';
  }
}
