import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { ValidatorAddresses } from './staked-validator.ts';

/** An account and where it is. */
export type AccountEntry = readonly [Address, Account];

/** What a new ledger begins with, besides the accounts the engine has built in. */
export interface Genesis {
  /**
   * Its accounts, ProgramData before programs. Asked for when a ledger is made, and again when it is reset.
   * It may take its time: accounts can come from elsewhere.
   *
   * @param faucet the address of the ledger's faucet key.
   * @param validator the addresses of its validator; without them nobody has a stake.
   */
  accounts(
    faucet: Address,
    validator?: ValidatorAddresses,
  ): Iterable<AccountEntry> | Promise<Iterable<AccountEntry>>;
  /**
   * Its first slot, where that is to be later than that of every other ledger; asked for after the accounts.
   */
  firstSlot?(): Promise<number | null>;
}
