import type { Address } from '../../solana/address.ts';
import type { Warning } from '../building/built-transaction.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { Rent } from '../../solana/rent.ts';
import { RENT_PDA, rentPdaLow } from '../fees/shuttle-costs.ts';

/**
 * Conditions that would make a transaction fail, or strand it, as things stand, and can be mended before
 * sending.
 */

/** The token account holds less than the transaction takes. `what` names the transaction. */
export function warnOfTooFewTokens(
  what: string,
  source: { ata: Address; held: bigint; taken: bigint; mint: Address; decimals: number },
): Warning {
  const { ata, held, taken } = source;
  return {
    code: 'INSUFFICIENT_TOKENS',
    message: `The owner's token account ${ata} holds ${describeTokens(held, source)} and the ${what} takes ${describeTokens(taken, source)}: fund it before sending, or the transaction fails.`,
  };
}

/** The token account is frozen. */
export const warnOfFrozenAccount = (ata: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_FROZEN',
  message: `The owner's token account ${ata} is frozen: the transaction fails until the mint's freeze authority thaws it.`,
});

/**
 * The token account refuses transfers by programs on the owner's signature, which deposits and shuttles use.
 */
export const warnOfCpiGuard = (ata: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_GUARDED',
  message: `The owner's token account ${ata} gives nothing to programs that its owner signs for (CpiGuard): switch that off first (CpiGuard Disable), or the transaction fails.`,
});

/** The token account takes no transfer as it is built here. `whose` is its role with the article. */
export const warnOfConfidentialOnly = (whose: string, ata: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_CONFIDENTIAL_ONLY',
  message: `The token account ${ata} of ${whose} takes only confidential transfers, which are not built here: have its owner allow others first (EnableNonConfidentialCredits), or the transaction fails.`,
});

/** The vault is frozen. */
export const warnOfFrozenVault = (ata: Address): Warning => ({
  code: 'TOKEN_ACCOUNT_FROZEN',
  message: `The vault's token account ${ata} is frozen: the transaction fails until the mint's freeze authority thaws it.`,
});

/** The wallet cannot pay rent and fee. `who` is the wallet's role and `what` the transaction. */
export const warnOfTooFewLamports = (
  what: string,
  wallet: { who: 'owner' | 'payer'; held: bigint; needed: bigint },
): Warning => ({
  code: 'INSUFFICIENT_LAMPORTS',
  message: `The ${wallet.who} holds ${countLamports(wallet.held)} and the ${what} takes at least ${wallet.needed} for rent and fee: fund the wallet before sending, or the transaction fails.`,
});

/** The delegation program does not admit the validator, so it could never settle. */
export const warnOfUnknownValidator = (validator: Address): Warning => ({
  code: 'VALIDATOR_NOT_ADMITTED',
  message: `The delegation program on this cluster has no fees vault for validator ${validator}, so that validator could not return the deposit. Leave out validator to use the cluster's own.`,
});

/** The rent PDA may be unable to pay for another shuttle. */
export const warnOfLowRentPda = (lamports: bigint, rent: Rent): Warning => ({
  code: 'RENT_PDA_LOW',
  message: `The program's rent account ${RENT_PDA} holds ${countLamports(lamports)} and needs ${rentPdaLow(rent)} to be sure to pay for one more shuttle: send it the difference of ${countLamports(rentPdaLow(rent) - lamports)} (anybody may), or wait until other shuttles are closed, or the transaction can fail.`,
});

/**
 * The rent PDA cannot pay for the token account of a payee that has none. Whether this one has is not asked:
 * base's RPC would learn who is paid.
 *
 * @param held what it holds, lamports.
 * @param needed what it must hold to pay for one, lamports.
 */
export const warnOfUnpaidPayee = (held: bigint, needed: bigint): Warning => ({
  code: 'RENT_PDA_LOW',
  message: `The program's rent account ${RENT_PDA} holds ${countLamports(held)} and needs ${needed} to be sure to pay for a token account: if the recipient has none of this mint, the payment waits until somebody sends that account the difference of ${countLamports(needed - held)} (anybody may). Send it first, or pay a recipient that has one.`,
});

const countLamports = (lamports: bigint): string => `${lamports} ${lamports === 1n ? 'lamport' : 'lamports'}`;
