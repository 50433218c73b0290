import type { AccountView } from '../../ledger/state/account-state.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { KeptAccounts } from '../../ledger/state/kept-accounts.ts';
import type { KeptLedger } from './kept-ledgers.ts';

/** The accounts of a ledger where they lie: read one by one, where its store does so. */
export function accountsOf({ store, identity }: KeptLedger): AccountView {
  const source = store.kept(identity.genesisHash);
  if (source !== null) return new KeptAccounts(source);
  const accounts = new Accounts();
  for (const [address, account] of store.accounts()) accounts.set(address, account);
  return accounts;
}
