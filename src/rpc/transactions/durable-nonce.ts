import type { AccountReads } from '../../ledger/ledger.ts';
import { findUsedNonce } from '../../ledger/run/nonce.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/**
 * Whether a transaction carries a nonce in place of a blockhash and may use it at this newest blockhash.
 *
 * @param blockhash the newest blockhash, 32 bytes.
 */
export function usesNonce(ledger: AccountReads, transaction: Transaction, blockhash: Uint8Array): boolean {
  return findUsedNonce(transaction, accountsOf(ledger), blockhash) !== null;
}

/** The accounts of a ledger in the form the transaction checks take. */
export function accountsOf(ledger: AccountReads): Pick<AccountView, 'get'> {
  return { get: (address: Address) => ledger.getAccount(address) ?? undefined };
}
