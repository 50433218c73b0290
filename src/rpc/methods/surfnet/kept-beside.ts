import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * State that a cheat attaches to a ledger. It is not part of the ledger, so a restart or a reset of the
 * network drops it.
 *
 * @param make creates the initial state.
 */
export function keptBeside<T>(make: () => T): (node: Pick<RpcNode, 'ledger'>) => T {
  const kept = new WeakMap<Ledger, { readonly genesisHash: string; readonly value: T }>();
  return ({ ledger }) => {
    const present = kept.get(ledger);
    if (present?.genesisHash === ledger.genesisHash) return present.value;
    const value = make();
    kept.set(ledger, { genesisHash: ledger.genesisHash, value });
    return value;
  };
}
