import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { ValidatorAddresses } from './staked-validator.ts';

/** An account and its address. */
export type AccountEntry = readonly [Address, Account];

/** What a new ledger starts with, besides the accounts built into the engine. */
export interface Genesis {
  /**
   * The accounts, ProgramData before programs. Called when a ledger is created and again when it is reset.
   * May be slow, as accounts can come from a cluster.
   *
   * @param faucet the address of the ledger's faucet key.
   * @param validator the addresses of its validator; without them there is no stake.
   */
  accounts(
    faucet: Address,
    validator?: ValidatorAddresses,
  ): Iterable<AccountEntry> | Promise<Iterable<AccountEntry>>;
  /** The first slot, if it has to be later than usual; null otherwise. Called after `accounts`. */
  firstSlot?(): Promise<number | null>;
}
