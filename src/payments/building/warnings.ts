import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Rent } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TokenAccountState } from '../accounts/token-account.ts';
import { RENT_PDA, rentPdaLow } from '../fees/costs.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { type MintTerms, untilResumed, withheldOf } from '../mints/mint-terms.ts';
import type { Warning } from './built-transaction.ts';

/** Warnings about fixable conditions that make a transaction fail or strand its tokens. */

/** Warns that the token account has too few tokens. `what` names the transaction. */
export function warnOfTooFewTokens(
  what: string,
  source: { ata: Address; held: bigint; taken: bigint; mint: Address; decimals: number },
): Warning {
  const { ata, held, taken } = source;
  return {
    code: 'INSUFFICIENT_TOKENS',
    message: `The owner's token account ${ata} holds ${describeTokens(held, source)}, but the ${what} needs ${describeTokens(taken, source)}: fund it before sending, or the transaction fails.`,
  };
}

/** Warns that a token account is frozen. `account` is its role and address, "The owner's ... 7xKX..." */
export const warnOfFrozen = (account: string): Warning => ({
  code: 'TOKEN_ACCOUNT_FROZEN',
  message: `${account} is frozen: the transaction fails until the mint's freeze authority thaws it.`,
});

/** Warns that a token account rejects transfers that programs make for its owner, as in deposits. */
export const warnOfCpiGuard = (ata: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_GUARDED',
  message: `The owner's token account ${ata} rejects transfers by programs (CpiGuard). Turn that off first (CpiGuard Disable), or the transaction fails.`,
});

/**
 * Warns that a token account only accepts confidential transfers. `role` includes its article, for example
 * "the recipient".
 */
export const warnOfConfidentialOnly = (role: string, ata: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_CONFIDENTIAL_ONLY',
  message: `The token account ${ata} of ${role} accepts only confidential transfers, which are not built here. Its owner must allow other transfers first (EnableNonConfidentialCredits), or the transaction fails.`,
});

/** Warns that the wallet cannot pay the rent and fee. `who` is its role, and `what` is the transaction. */
export const warnOfTooFewLamports = (
  what: string,
  wallet: { who: 'owner' | 'payer'; held: bigint; needed: bigint },
): Warning => ({
  code: 'INSUFFICIENT_LAMPORTS',
  message: `The ${wallet.who} holds ${countLamports(wallet.held)}, but the ${what} needs at least ${wallet.needed} for rent and fee: fund the wallet before sending, or the transaction fails.`,
});

/** Warns that the delegation program does not admit the validator, which could never settle. */
export const warnOfUnknownValidator = (validator: Address): Warning => ({
  code: 'VALIDATOR_NOT_ADMITTED',
  message: `The delegation program on this cluster has no fees vault for validator ${validator}, so that validator could not return the deposit. Leave out validator to use the cluster's own.`,
});

/** Warns that the rent PDA may be unable to pay for another shuttle. */
export const warnOfLowRentPda = (lamports: bigint, rent: Rent): Warning => ({
  code: 'RENT_PDA_LOW',
  message: `The program's rent account ${RENT_PDA} holds ${countLamports(lamports)}, but needs ${rentPdaLow(rent)} to pay for one more shuttle. Send it the missing ${countLamports(rentPdaLow(rent) - lamports)} (anyone can), or wait until other shuttles are closed. Otherwise the transaction can fail.`,
});

/**
 * Warns that the rent PDA cannot pay for the recipient's token account. The account may already exist, but a
 * read would show the base RPC who is paid.
 *
 * @param held balance of the PDA, in lamports.
 * @param needed balance that the PDA needs, in lamports.
 */
export const warnOfUnpaidPayee = (held: bigint, needed: bigint): Warning => ({
  code: 'RENT_PDA_LOW',
  message: `The program's rent account ${RENT_PDA} holds ${countLamports(held)}, but needs ${needed} to pay for a token account. If the recipient has none of this mint, the payment waits until someone sends the missing ${countLamports(needed - held)} (anyone can). Send them first, or pay a recipient that has a token account.`,
});

const countLamports = (lamports: bigint): string => `${lamports} ${lamports === 1n ? 'lamport' : 'lamports'}`;

interface Arrival {
  readonly ata: Address;
  readonly owner: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** Advice on adding a required memo; null if the transaction has one. */
  readonly memoAdvice: string | null;
}

/**
 * Warns if others can take tokens that arrive in an account, or if a required memo is missing. Missing
 * accounts give no warning.
 */
export function warnOfArrival(arrival: Arrival, tokens: TokenAccountState | null): Warning[] {
  if (tokens === null) return [];
  const { rules } = tokens;
  const { owner, memoAdvice } = arrival;
  const warnings: Warning[] = [];
  if (rules.delegate !== null && rules.delegate !== owner && rules.delegatedAmount > 0n) {
    warnings.push(warnOfDelegate(arrival, rules.delegate, rules.delegatedAmount));
  }
  if (rules.closeAuthority !== null && rules.closeAuthority !== owner) {
    warnings.push(warnOfCloseAuthority(arrival, rules.closeAuthority));
  }
  if (rules.needsMemo && memoAdvice !== null) warnings.push(warnOfMissingMemo(arrival, memoAdvice));
  return warnings;
}

const warnOfDelegate = (arrival: Arrival, delegate: Address, amount: bigint): Warning => ({
  code: 'TOKEN_ACCOUNT_DELEGATED',
  message: `${delegate} can take up to ${describeTokens(amount, arrival)} out of the token account ${arrival.ata} of ${arrival.owner}, including the tokens of this transaction. Unless that is intended, ${arrival.owner} should revoke it first (Revoke).`,
});

const warnOfCloseAuthority = (arrival: Arrival, authority: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_CLOSE_AUTHORITY',
  message: `${authority} can close the token account ${arrival.ata} of ${arrival.owner}, ${arrival.mint === NATIVE_MINT ? 'with all wrapped SOL in it' : 'once it is empty'}. Unless that is intended, ${arrival.owner} should remove that right first (SetAuthority).`,
});

const warnOfMissingMemo = ({ ata, owner }: Arrival, advice: string): Warning => ({
  code: 'MEMO_REQUIRED',
  message: `The token account ${ata} of ${owner} accepts only transfers that directly follow a memo: ${advice}, or the transaction fails.`,
});

/** The use of a mint by a transaction. */
export interface MintUse {
  /** Base units that arrive, before the mint withholds a part. */
  readonly amount: bigint;
  readonly creates: boolean;
}

/** Warns about side effects of a Token-2022 mint; empty for SPL Token. */
export function warnOfMint(facts: MintFacts, terms: MintTerms | null, use: MintUse): Warning[] {
  if (terms === null) return [];
  const { mint } = facts;
  const { pausable, permanentDelegate, defaultState, unknownTypes } = terms.extensions;
  const warnings = warnOfWithheld(facts, terms, use.amount);
  const warn = (code: string, message: string): unknown => warnings.push({ code, message });
  if (pausable?.paused === true) {
    warn('MINT_PAUSED', `mint ${mint} is paused ${untilResumed(pausable)}: the transaction fails.`);
  }
  if (permanentDelegate !== null) {
    warn(
      'MINT_PERMANENT_DELEGATE',
      `${permanentDelegate} is the permanent delegate of mint ${mint} and can move and burn its tokens in every account, including the accounts of this transaction.`,
    );
  }
  if (defaultState === 'frozen' && use.creates) {
    warn(
      'MINT_ACCOUNTS_BEGIN_FROZEN',
      `New token accounts of mint ${mint} are frozen: the transaction fails if it creates the account that receives the tokens. Have the mint's freeze authority create and thaw the account first.`,
    );
  }
  if (unknownTypes.length > 0) {
    warn(
      'MINT_EXTENSION_UNKNOWN',
      `mint ${mint} has unknown Token-2022 extensions (types ${unknownTypes.join(', ')}), so their effect on the transaction is unknown. Simulate it first (simulate).`,
    );
  }
  return warnings;
}

function warnOfWithheld(facts: MintFacts, terms: MintTerms, amount: bigint): Warning[] {
  const withheld = withheldOf(terms, amount);
  if (withheld === 0n) return [];
  return [
    {
      code: 'TRANSFER_FEE_WITHHELD',
      message: `mint ${facts.mint} withholds ${describeTokens(withheld, facts)} as its transfer fee, so ${describeTokens(amount - withheld, facts)} arrive. Pass a larger amount if more should arrive.`,
    },
  ];
}

/** Describes how wallets display amounts differently. This service uses only base units and decimals. */
export function notesOfMint({ mint }: MintFacts, terms: MintTerms | null): string[] {
  if (terms === null) return [];
  const { interestBearing, scaledUiAmount } = terms.extensions;
  const notes: string[] = [];
  if (interestBearing !== null) {
    notes.push(
      `Wallets may show larger figures: mint ${mint} accrues interest in displayed amounts. The figures here do not include it.`,
    );
  }
  if (scaledUiAmount !== null) {
    notes.push(
      `Wallets may show other figures: mint ${mint} multiplies displayed amounts. The figures here are not multiplied.`,
    );
  }
  return notes;
}
