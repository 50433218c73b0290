import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcNode } from '../../rpc-node.ts';

/**
 * What a cheat keeps beside a ledger: it is no part of it, so that a restart and a reset of the network
 * forget it.
 *
 * @param make what is kept at first.
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
