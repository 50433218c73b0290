import type { LedgerOperator } from '../../../ledger/operator.ts';
import { invalidRequest } from '../../errors.ts';
import type { RpcMethod } from '../../rpc-method.ts';

const disabled = new WeakMap<LedgerOperator, Set<string>>();

/** The names of the currently disabled cheats. They survive a reset of the network, but not a restart. */
export function disabledCheats(operator: LedgerOperator): Set<string> {
  const present = disabled.get(operator) ?? new Set();
  disabled.set(operator, present);
  return present;
}

/** Wraps methods so that they are refused (-32600, with Surfpool's message) while disabled. */
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
