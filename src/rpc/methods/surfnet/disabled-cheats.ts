import type { LedgerOperator } from '../../../ledger/operator.ts';
import { invalidRequest } from '../../errors.ts';
import type { RpcMethod } from '../../rpc-method.ts';

const disabled = new WeakMap<LedgerOperator, Set<string>>();

/**
 * The names of the cheats that nobody may call at present. A reset of the network leaves them, a restart does
 * not.
 */
export function disabledCheats(operator: LedgerOperator): Set<string> {
  const present = disabled.get(operator) ?? new Set();
  disabled.set(operator, present);
  return present;
}

/** Methods that are refused (-32600, in Surfpool's words) while they are disabled. */
export function switchable(methods: readonly RpcMethod[]): readonly RpcMethod[] {
  return methods.map((method) => ({
    ...method,
    call(node, params) {
      if (node.operator !== undefined && disabledCheats(node.operator).has(method.name)) {
        throw invalidRequest(`Cheatcode rpc method: ${method.name} is currently disabled`);
      }
      return method.call(node, params);
    },
  }));
}
