import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionRejected, type BlockReads, type LedgerReads } from '../../ledger/ledger.ts';
import { lookUpAddresses } from '../../ledger/run/lookup-table.ts';
import { advancesNewNonce } from '../../ledger/run/nonce.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { accountsOf, usesNonce } from '../transactions/durable-nonce.ts';
import { slotAges } from './slot-ages.ts';

/** How often per slot the ledger is polled for the next one, and for how many slots at most. */
const POLLS_PER_SLOT = 8;
const POLLS_MAX = 2 * POLLS_PER_SLOT;

/** A blockhash that no block has, so that no nonce counts as created with it. */
const NO_BLOCKHASH = new Uint8Array(32);

/**
 * Whether a transaction is refused in this slot but not in the next, because it uses something created in
 * this very slot: a nonce, to land on it or to advance it, or addresses appended to a lookup table. On a
 * cluster this cannot happen to clients that wait for confirmation, which takes longer than a slot; here
 * confirmation is immediate.
 */
export function isForNextSlot(ledger: LedgerReads, transaction: Transaction): boolean {
  return (
    isOnNewNonce(ledger, transaction) ||
    changesNewNonce(ledger, transaction) ||
    readsNewAddresses(ledger, transaction)
  );
}

/** Resolves when the next slot has begun, or after two slots' time, as the ledger's clock may be paused. */
export async function nextSlot(ledger: BlockReads): Promise<void> {
  const { slot } = ledger.head();
  for (let polls = 0; polls < POLLS_MAX && ledger.head().slot === slot; polls++) {
    await sleep(ledger.slotMs / POLLS_PER_SLOT);
  }
}

function isOnNewNonce(ledger: LedgerReads, transaction: Transaction): boolean {
  if (!usesNonce(ledger, transaction, NO_BLOCKHASH)) return false;
  return !usesNonce(ledger, transaction, decodeBase58(ledger.head().blockhash));
}

function changesNewNonce(ledger: LedgerReads, transaction: Transaction): boolean {
  return advancesNewNonce(transaction, accountsOf(ledger), () => decodeBase58(ledger.head().blockhash));
}

function readsNewAddresses(ledger: LedgerReads, transaction: Transaction): boolean {
  if (transaction.lookups.length === 0) return false;
  const { slot } = ledger.head();
  return !canLookUp(ledger, transaction, slot) && canLookUp(ledger, transaction, slot + 1);
}

function canLookUp(ledger: LedgerReads, { lookups }: Transaction, slot: number): boolean {
  try {
    for (const lookup of lookups) {
      lookUpAddresses(ledger.getAccount(lookup.table) ?? undefined, lookup, slotAges(ledger, slot));
    }
    return true;
  } catch (error) {
    if (error instanceof TransactionRejected) return false;
    throw error;
  }
}
