import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Rent } from '../../solana/rent.ts';
import type { TransactionError } from '../transaction-error.ts';
import { LAMPORTS_MAX } from './fee.ts';
import { isInitializedNonce, NONCE_BYTES } from './nonce.ts';

/**
 * Why an account cannot pay a fee of `fee` lamports on a ledger with this rent; null if it can (Agave
 * `validate_fee_payer`). A transaction that fails here is not charged and does not land.
 */
export function feePayerFault(payer: Account | undefined, fee: bigint, rent: Rent): TransactionError | null {
  if (payer === undefined) return 'AccountNotFound';
  const isNonce = payer.data.length === NONCE_BYTES && isInitializedNonce(payer.data);
  if (payer.owner !== SYSTEM_PROGRAM || (payer.data.length > 0 && !isNonce)) return 'InvalidAccountForFee';
  // Only a lent fee can exceed u64, and the engine cannot represent such an account.
  if (payer.lamports > LAMPORTS_MAX) return 'InsufficientFundsForFee';
  const reserve = isNonce ? rent.minimum(NONCE_BYTES) : 0n;
  if (payer.lamports < reserve + fee) return 'InsufficientFundsForFee';
  const left = payer.lamports - fee;
  // An account may be emptied but must not end below its rent-exempt minimum (Agave
  // `RentState::transition_allowed`).
  const minimum = rent.minimum(payer.data.length);
  const comesBelow = payer.lamports >= minimum && left > 0n && left < minimum;
  return comesBelow ? { InsufficientFundsForRent: { account_index: 0 } } : null;
}
