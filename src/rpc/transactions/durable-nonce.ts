import type { Ledger } from '../../ledger/ledger.ts';
import { findUsedNonce } from '../../ledger/run/nonce.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/**
 * Whether a transaction carries the nonce of an account in place of a blockhash and may use it when the newest blockhash
 * is the given one, 32 bytes.
 */
export function usesNonce(ledger: Ledger, transaction: Transaction, blockhash: Uint8Array): boolean {
  const accounts = { get: (address: Address) => ledger.getAccount(address) ?? undefined };
  return findUsedNonce(transaction, accounts, blockhash) !== null;
}
