import type { LedgerOperator } from '../../../ledger/operator.ts';
import { methodNotFound } from '../../errors.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * Who may change the ledger by calls.
 *
 * @throws {RpcError} -32601 where nobody may, as if there were no such method.
 */
export function operatorOf({ operator }: RpcNode): LedgerOperator {
  if (operator === undefined) throw methodNotFound();
  return operator;
}
