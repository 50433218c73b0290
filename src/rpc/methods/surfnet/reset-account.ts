import { programDataOf } from '../../../ledger/genesis/program-accounts.ts';
import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { verifyAddress } from '../../params/keys.ts';
import { string } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import type { RpcNode } from '../../rpc-node.ts';
import { NOTHING } from './nothing.ts';
import { operatorOf } from './operator-of.ts';
import { ownedConfig } from './owned-config.ts';
import { putAccounts } from './put-accounts.ts';

/**
 * `surfnet_resetAccount([pubkey, { includeOwnedAccounts? }?])`: restores an account to its initial state:
 * that of the genesis, or on a fork the cluster's present one, or none. A program is restored with its code.
 * Owned accounts are the local ones. An offline account becomes online again.
 */
export const surfnetResetAccount = defineMethod(
  'surfnet_resetAccount',
  { required: [string], optional: [ownedConfig('ResetAccountConfig')] },
  async (node, text, config) => {
    const operator = operatorOf(node);
    const addresses = addressesOf(node, verifyAddress(text), config?.includeOwnedAccounts === true);
    node.fork?.goOnline(verifyAddress(text));
    const originals = new Map(await operator.genesisAccounts());
    const others = addresses.filter((address) => !originals.has(address));
    for (const [address, account] of (await node.fork?.readAgain(others)) ?? []) {
      if (!originals.has(address)) originals.set(address, account);
    }
    return await putAccounts(node, () => entriesOf(node, addresses, originals));
  },
);

function addressesOf({ ledger }: RpcNode, address: Address, withOwned: boolean): Address[] {
  const account = ledger.getAccount(address);
  const codeAt = account && programDataOf(account);
  const owned = withOwned ? Array.from(ledger.programAccounts(address), ([at]) => at) : [];
  return [...new Set([...(codeAt === null ? [] : [codeAt]), ...owned, address])];
}

/** The code of a copied program is among the originals and may be new here. */
function entriesOf(
  { ledger }: RpcNode,
  addresses: readonly Address[],
  originals: ReadonlyMap<Address, Account>,
): AccountEntry[] {
  const code = addresses.flatMap((address) => {
    const original = originals.get(address);
    return (original && programDataOf(original)) ?? [];
  });
  return [...new Set([...code, ...addresses])].flatMap((address): AccountEntry[] => {
    const original = originals.get(address);
    const isThere = original !== undefined || ledger.getAccount(address) !== null;
    return isThere ? [[address, original ?? NOTHING]] : [];
  });
}
