import type { Fork } from '../../../ledger/provision/fork.ts';
import { invalidRequest } from '../../errors.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * The fork of a node.
 *
 * @throws {RpcError} -32600 if the ledger is not a fork.
 */
export function forkOf({ fork }: RpcNode): Fork {
  if (fork !== undefined) return fork;
  throw invalidRequest('This node copies no accounts from another cluster; start it with --url and --fork');
}
