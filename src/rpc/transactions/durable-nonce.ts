import type { Ledger } from '../../ledger/ledger.ts';
import { findUsedNonce } from '../../ledger/run/nonce.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import type { Address } from '../../solana/address.ts';
import type { MessageParts } from '../../solana/transaction.ts';

/**
 * Whether a transaction carries the nonce of an account in place of a blockhash and may use it when the
 * newest blockhash is the given one, 32 bytes.
 */
export function usesNonce(ledger: Ledger, transaction: MessageParts, blockhash: Uint8Array): boolean {
  return findUsedNonce(transaction, accountsOf(ledger), blockhash) !== null;
}

/** The accounts of a ledger as those who run transactions look at them. */
export function accountsOf(ledger: Ledger): Pick<AccountView, 'get'> {
  return { get: (address: Address) => ledger.getAccount(address) ?? undefined };
}
