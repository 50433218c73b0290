import type { Fork } from '../../../ledger/provision/fork.ts';
import { invalidRequest } from '../../errors.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * What copies accounts from another cluster.
 *
 * @throws {RpcError} -32600 where the ledger is no fork: nothing is copied then.
 */
export function forkOf({ fork }: RpcNode): Fork {
  if (fork !== undefined) return fork;
  throw invalidRequest('This node copies no accounts from another cluster; start it with --url and --fork');
}
