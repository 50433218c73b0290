import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { programDataOf } from '../../../ledger/genesis/program-accounts.ts';
import { inEngineOrder } from '../../../ledger/provision/engine-risk.ts';
import { tryAccounts } from '../../../ledger/provision/try-accounts.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { inContext, type RpcNode } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/**
 * Puts accounts on the ledger, what the engine takes apart only after it was tried in another process. Answers null in
 * its context once that is durable.
 *
 * @throws {ServiceError} PROVISION_INVALID when the engine cannot bear an account, INVALID_ARGUMENTS when the ledger
 *   keeps it itself.
 */
export async function putAccounts(node: RpcNode, entries: readonly AccountEntry[]): Promise<JsonOutput> {
  const operator = operatorOf(node);
  await tryAccounts([...codeBehind(entries, node), ...entries]);
  await operator.setAccounts(inEngineOrder(entries));
  return inContext(node, node.ledger.head().slot, null);
}

/** The code that programs among the entries name and that is on the ledger already. */
function codeBehind(entries: readonly AccountEntry[], { ledger }: RpcNode): AccountEntry[] {
  const addresses = new Set(entries.map(([address]) => address));
  return entries.flatMap(([, account]): AccountEntry[] => {
    const address = programDataOf(account);
    const code = address === null || addresses.has(address) ? null : ledger.getAccount(address);
    return address === null || code === null ? [] : [[address, code]];
  });
}
