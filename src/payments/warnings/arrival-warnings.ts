import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { TokenAccountState } from '../accounts/token-account.ts';

/** A token account that receives tokens. */
interface Arrival {
  readonly ata: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** How to add the memo the account requires; null if the transaction has it. */
  readonly memoMend: string | null;
}

/**
 * Warns of others who may take tokens that arrive in an account, and of a required memo that is missing.
 * Empty for an account that does not exist yet.
 */
export function warnOfArrival(arrival: Arrival, tokens: TokenAccountState | null): Warning[] {
  if (tokens === null) return [];
  const { rules } = tokens;
  const { owner, memoMend } = arrival;
  const warnings: Warning[] = [];
  if (rules.delegate !== null && rules.delegate !== owner && rules.delegatedAmount > 0n) {
    warnings.push(warnOfDelegate(arrival, rules.delegate, rules.delegatedAmount));
  }
  if (rules.closeAuthority !== null && rules.closeAuthority !== owner) {
    warnings.push(warnOfCloseAuthority(arrival, rules.closeAuthority));
  }
  if (rules.needsMemo && memoMend !== null) warnings.push(warnOfMissingMemo(arrival, memoMend));
  return warnings;
}

const warnOfDelegate = (arrival: Arrival, delegate: Address, amount: bigint): Warning => ({
  code: 'TOKEN_ACCOUNT_DELEGATED',
  message: `${delegate} may take up to ${describeTokens(amount, arrival)} out of the token account ${arrival.ata} of ${arrival.owner}, tokens that arrive by this transaction included: have ${arrival.owner} revoke that first (Revoke), unless it is meant.`,
});

const warnOfCloseAuthority = (arrival: Arrival, authority: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_CLOSE_AUTHORITY',
  message: `${authority} may close the token account ${arrival.ata} of ${arrival.owner}, ${arrival.mint === NATIVE_MINT ? 'with all wrapped SOL in it' : 'once it is empty'}: have ${arrival.owner} take that right back first (SetAuthority), unless it is meant.`,
});

const warnOfMissingMemo = ({ ata, owner }: Arrival, mend: string): Warning => ({
  code: 'MEMO_REQUIRED',
  message: `The token account ${ata} of ${owner} takes only transfers with a memo right before them: ${mend}, or the transaction fails.`,
});
