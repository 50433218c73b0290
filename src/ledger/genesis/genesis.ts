import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** An account and where it is. */
export type AccountEntry = readonly [Address, Account];

/** The accounts a new ledger begins with, besides those the engine has built in. ProgramData come before programs. */
export interface Genesis {
  /**
   * Asked for when a ledger is made, and again when it is reset. It may take its time: accounts can come from elsewhere.
   *
   * @param faucet the address of the ledger's faucet key.
   */
  accounts(faucet: Address): Iterable<AccountEntry> | Promise<Iterable<AccountEntry>>;
}
