import type { LedgerOperator } from '../../../ledger/operator.ts';
import { methodNotFound } from '../../errors.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * The operator interface of a node, which may change the ledger by calls.
 *
 * @throws {RpcError} -32601 if there is none, as if the method did not exist.
 */
export function operatorOf({ operator }: RpcNode): LedgerOperator {
  if (operator === undefined) throw methodNotFound();
  return operator;
}
