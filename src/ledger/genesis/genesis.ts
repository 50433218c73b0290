import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/** The accounts a new ledger begins with, besides those the engine has built in. ProgramData come before programs. */
export interface Genesis {
  /** @param faucet the address of the ledger's faucet key. */
  accounts(faucet: Address): Iterable<readonly [Address, Account]>;
}
