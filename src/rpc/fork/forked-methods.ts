import { isServiceError } from '../../errors/service-error.ts';
import type { Fork } from '../../ledger/provision/fork.ts';
import { NODE_UNHEALTHY, RpcError } from '../errors.ts';
import type { RpcMethod } from '../rpc-method.ts';
import { accountsOfCall, type NamedAccounts } from './named-accounts.ts';

/**
 * Wraps methods for a fork: before a method runs, the accounts its call names are copied from the cluster
 * unless they are local or known to be absent. If all are known, the call is answered without waiting.
 * Searches (getProgramAccounts, getTokenAccountsByOwner, getTokenLargestAccounts, ...) cover local accounts
 * only; for a wallet and a mint named together, the ATA is copied first.
 */
export function forkedMethods(methods: readonly RpcMethod[], fork: Fork): RpcMethod[] {
  return methods.map((method) => ({
    ...method,
    call(node, params) {
      const named = accountsOfCall(method.name, params);
      const isLocal = named.lookups.length === 0 && fork.unknown(named.addresses).length === 0;
      if (isLocal) return method.call(node, params);
      return copyAccounts(fork, named).then(() => method.call(node, params));
    },
  }));
}

/** @throws {RpcError} -32005 if the cluster cannot be reached: the fault is the node's, not the caller's. */
async function copyAccounts(fork: Fork, { addresses, lookups }: NamedAccounts): Promise<void> {
  try {
    await fork.ensure(addresses, lookups);
  } catch (error) {
    if (!isServiceError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const data = { numSlotsBehind: null, reason: error.code };
    throw new RpcError(NODE_UNHEALTHY, `Accounts cannot be copied: ${error.message}`, data);
  }
}
