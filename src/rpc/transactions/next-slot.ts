import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionRejected, type Ledger } from '../../ledger/ledger.ts';
import { lookUpAddresses } from '../../ledger/run/lookup-table.ts';
import { advancesNewNonce } from '../../ledger/run/nonce.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { accountsOf, usesNonce } from './durable-nonce.ts';
import { slotAges } from './slot-ages.ts';

/**
 * The ledger is asked so many times a slot whether the next one has come, and no longer than for two slots.
 */
const POLLS_PER_SLOT = 8;
const POLLS_MAX = 2 * POLLS_PER_SLOT;

/** A blockhash that no block has: nothing made by a block is as new as it. */
const NO_BLOCKHASH = new Uint8Array(32);

/**
 * Whether a transaction is refused now and not in the next slot, as it uses what this very slot made: a
 * nonce, to land on it or to advance it, or addresses appended to a lookup table. On a cluster clients never
 * come to this, since what they wait for takes longer than a slot to be confirmed; here it is final at once.
 */
export function isForNextSlot(ledger: Ledger, transaction: Transaction): boolean {
  return (
    isOnNewNonce(ledger, transaction) ||
    changesNewNonce(ledger, transaction) ||
    readsNewAddresses(ledger, transaction)
  );
}

/**
 * Resolves when the next slot has come; after two slots of waiting in any case, as a ledger's time may stand
 * still.
 */
export async function nextSlot(ledger: Ledger): Promise<void> {
  const { slot } = ledger.head();
  for (let polls = 0; polls < POLLS_MAX && ledger.head().slot === slot; polls++) {
    await sleep(ledger.slotMs / POLLS_PER_SLOT);
  }
}

function isOnNewNonce(ledger: Ledger, transaction: Transaction): boolean {
  if (!usesNonce(ledger, transaction, NO_BLOCKHASH)) return false;
  return !usesNonce(ledger, transaction, decodeBase58(ledger.head().blockhash));
}

function changesNewNonce(ledger: Ledger, transaction: Transaction): boolean {
  return advancesNewNonce(transaction, accountsOf(ledger), () => decodeBase58(ledger.head().blockhash));
}

function readsNewAddresses(ledger: Ledger, transaction: Transaction): boolean {
  if (transaction.lookups.length === 0) return false;
  const { slot } = ledger.head();
  return !canLookUp(ledger, transaction, slot) && canLookUp(ledger, transaction, slot + 1);
}

function canLookUp(ledger: Ledger, { lookups }: Transaction, slot: number): boolean {
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
