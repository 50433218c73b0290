import type { AccountReads } from '../../ledger/ledger.ts';
import { decodeTokenAccount, isTokenProgram } from '../../programs/token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Reader } from './guard.ts';
import { eataAt, type Guards } from './guards.ts';

/**
 * Whether one of these accounts is not private and a reader's own: their wallet, or tokens that are theirs. A
 * transaction that names it is their business, whoever else's it is; else anybody could hide its history from
 * them by naming somebody's private account as well.
 */
export function isPublicParty(
  reader: Reader,
  keys: readonly Address[],
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): boolean {
  if (reader === null) return false;
  // Whose it is comes first: what is hidden takes as many reads as what is not there.
  return keys.some(
    (key) =>
      (key === reader || ownerOfTokens(key, ledger.getAccount(key)) === reader) &&
      guards.get(key) === undefined,
  );
}

/** Whose tokens are in an account; undefined where there are none. */
function ownerOfTokens(address: Address, account: Account | null): Address | undefined {
  if (account === null) return undefined;
  if (isTokenProgram(account.owner)) return decodeTokenAccount(account.data)?.owner;
  return eataAt(address, account)?.owner;
}
