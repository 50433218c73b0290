import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import type { TransactionError } from '../transaction-error.ts';
import { LAMPORTS_MAX } from './fee.ts';
import { isInitializedNonce, NONCE_BYTES } from './nonce.ts';

/**
 * Why an account cannot pay a fee of `fee` lamports; null if it can (Agave `validate_fee_payer`). A
 * transaction that fails here is not charged and does not land.
 */
export function feePayerFault(payer: Account | undefined, fee: bigint): TransactionError | null {
  if (payer === undefined) return 'AccountNotFound';
  const isNonce = payer.data.length === NONCE_BYTES && isInitializedNonce(payer.data);
  if (payer.owner !== SYSTEM_PROGRAM || (payer.data.length > 0 && !isNonce)) return 'InvalidAccountForFee';
  // Only a lent fee can exceed u64, and the engine cannot represent such an account.
  if (payer.lamports > LAMPORTS_MAX) return 'InsufficientFundsForFee';
  const reserve = isNonce ? rentExemptMinimum(NONCE_BYTES) : 0n;
  if (payer.lamports < reserve + fee) return 'InsufficientFundsForFee';
  const left = payer.lamports - fee;
  // An account may be emptied but must not end below its rent-exempt minimum (Agave
  // `RentState::transition_allowed`).
  const rent = rentExemptMinimum(payer.data.length);
  const comesBelow = payer.lamports >= rent && left > 0n && left < rent;
  return comesBelow ? { InsufficientFundsForRent: { account_index: 0 } } : null;
}
