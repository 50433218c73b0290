import { decodeTokenHolding, isDelegateOf, isHeldBy, isOfMint } from '../../programs/token/state.ts';
import { isTokenProgram } from '../../programs/token/token-program.ts';
import type { Account } from '../../solana/account.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { AccountRange } from './account-source.ts';

/**
 * Whether an account is of a range. A holder has initialised token accounts alone: where one was there may be
 * anything, with the bytes of one too.
 */
export function isInRange(range: AccountRange, account: Account): boolean {
  if ('holder' in range) return isAskedFor(range, account);
  return 'all' in range || account.owner === range.program;
}

function isAskedFor(
  { holder, address, program, mint }: TokenAccountQuery,
  { owner, data }: Account,
): boolean {
  if (owner !== program || !isTokenProgram(owner) || decodeTokenHolding(data) === null) return false;
  if (mint !== undefined && !isOfMint(data, mint)) return false;
  if (holder === 'owner') return isHeldBy(data, address);
  return holder === 'delegate' ? isDelegateOf(data, address) : isOfMint(data, address);
}
