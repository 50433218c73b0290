import { rentExemptMinimum, type Rent } from '../../solana/rent.ts';
import type { AccountEntry } from './genesis.ts';

/**
 * Accounts of ours, which are made with the rent of a test validator, for a ledger that asks for more: those
 * that were exempt stay so. An account that is not cannot be paid into (Agave
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
