import { ataBytes } from '../../programs/token/account-bytes.ts';
import type { Address } from '../../solana/address.ts';
import type { Rent } from '../../solana/rent.ts';
import { sumLamports } from '../fees/rent-costs.ts';
import type { ShuttleState } from './judge.ts';
import type { Recovery } from './plan.ts';

/** A token account that the payer of recoveries opens, once for all of its owner's shuttles of a mint. */
interface OpenedAccount {
  readonly owner: Address;
  readonly tokenProgram: Address;
}

/** The token accounts that are opened on the way. */
export const openedAccounts = (recoveries: readonly Recovery[]): readonly OpenedAccount[] => [
  ...new Map(
    recoveries
      .filter(({ createsOwnerAta }) => createsOwnerAta)
      .map(({ accounts }) => [accounts.ownerAta, accounts]),
  ).values(),
];

/** Lamports that these accounts take for their rent at most: the sizes are the most that a mint asks for. */
export const lamportsOf = (
  rent: Rent,
  opened: readonly OpenedAccount[],
  ...others: readonly bigint[]
): bigint =>
  sumLamports(
    rent,
    opened.map(({ tokenProgram }) => ataBytes(tokenProgram, null)),
    ...others,
  );

/**
 * Leaves alone the shuttles that would have the payer buy a token account for another owner: anybody can
 * strand a shuttle with next to nothing in it, and close the account afterwards and keep its lamports.
 */
export const sparePayer = (rent: Rent, states: readonly ShuttleState[], payer: Address): ShuttleState[] =>
  states.map((state) => {
    const { owner, recovery } = state;
    if (recovery?.createsOwnerAta !== true || owner === payer) return state;
    const { ownerAta } = recovery.accounts;
    const price = lamportsOf(rent, [recovery.accounts]);
    const why = `Its owner has no token account ${ownerAta}: payer would open it for up to ${price} lamports, which become the owner's. Name owner or shuttles to do that.`;
    return { ...state, recovery: null, why };
  });

/** What the payer gives away, as a sentence; null where that is nothing. */
export function giftWords(rent: Rent, recoveries: readonly Recovery[], payer: Address): string | null {
  const opened = openedAccounts(recoveries).filter(({ owner }) => owner !== payer);
  if (opened.length === 0) return null;
  const what =
    opened.length === 1 ? '1 token account for another owner' : `${opened.length} token accounts for others`;
  return `The payer opens ${what}: up to ${lamportsOf(rent, opened)} lamports, which become theirs.`;
}
