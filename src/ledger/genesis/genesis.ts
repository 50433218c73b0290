import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { MINT_BYTES } from '../../programs/token/state.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type Rent, rentExemptMinimum } from '../../solana/rent.ts';
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

/**
 * Adjusts accounts that were created with the rent of a test validator to a ledger with a higher rent, so
 * that rent-exempt ones stay exempt. Nobody can pay into an account that is not (Agave
 * `RentState::transition_allowed`).
 */
export function exemptAccounts(entries: readonly AccountEntry[], rent: Rent): AccountEntry[] {
  return entries.map(([address, account]) => {
    const { lamports, data } = account;
    const minimum = rent.minimum(data.length);
    const isShort = lamports >= rentExemptMinimum(data.length) && lamports < minimum;
    return [address, isShort ? { ...account, lamports: minimum } : account];
  });
}

/**
 * A mint of SPL Token without supply and without freeze authority (`Mint`: COption u32 + mint authority 32,
 * supply u64, decimals u8, initialised u8, COption u32 + freeze authority 32).
 *
 * @param authority the mint authority; null for a fixed supply.
 */
export function mintAccount(authority: Address | null, decimals: number): Account {
  const data = new Uint8Array(MINT_BYTES);
  if (authority !== null) {
    data[0] = 1;
    data.set(addressBytes(authority), 4);
  }
  data[44] = decimals;
  data[45] = 1;
  return {
    lamports: rentExemptMinimum(data.length),
    owner: TOKEN_PROGRAM,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/** An account of the system program that holds only lamports. */
export function walletAccount(lamports: bigint): Account {
  return {
    lamports,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
