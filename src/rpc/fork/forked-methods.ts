import { isServiceError } from '../../errors/service-error.ts';
import type { Fork } from '../../ledger/provision/fork.ts';
import { NODE_UNHEALTHY, RpcError } from '../errors.ts';
import type { RpcMethod } from '../rpc-method.ts';
import { accountsOfCall, type NamedAccounts } from './named-accounts.ts';

/**
 * Methods on a fork: before one runs, the accounts its call names are copied from the cluster, if they are
 * not local and not known to be missing. A call all of whose accounts are known is answered without waiting.
 *
 * Methods that search (getProgramAccounts, getTokenAccountsByOwner, getTokenLargestAccounts, ...) find among
 * local accounts only; of a wallet and a mint that are named together, the ATA is copied first.
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

/**
 * @throws {RpcError} -32005 when the cluster cannot be asked: that is the node's trouble and not the
 *   caller's.
 */
async function copyAccounts(fork: Fork, { addresses, lookups }: NamedAccounts): Promise<void> {
  try {
    await fork.ensure(addresses, lookups);
  } catch (error) {
    if (!isServiceError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const data = { numSlotsBehind: null, reason: error.code };
    throw new RpcError(NODE_UNHEALTHY, `Accounts cannot be copied: ${error.message}`, data);
  }
}
