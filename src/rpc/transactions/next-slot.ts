import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccountReads,
  type BlockReads,
  type LedgerReads,
  TransactionRejected,
} from '../../ledger/ledger.ts';
import { lookUpAddresses, type SlotAges } from '../../ledger/run/account-keys.ts';
import { advancesNewNonce, findUsedNonce } from '../../ledger/run/nonce.ts';
import type { AccountView } from '../../ledger/state/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';

/**
 * Whether a transaction has a nonce instead of a blockhash and may use it at the newest blockhash.
 *
 * @param blockhash the newest blockhash, 32 bytes.
 */
export function usesNonce(ledger: AccountReads, transaction: Transaction, blockhash: Uint8Array): boolean {
  return findUsedNonce(transaction, accountsOf(ledger), blockhash) !== null;
}

/** Adapts a ledger's accounts to the transaction checks. */
function accountsOf(ledger: AccountReads): Pick<AccountView, 'get'> {
  return { get: (address: Address) => ledger.getAccount(address) ?? undefined };
}

/** Number of polls per slot while waiting for the next slot, and the maximum number of polls. */
const POLLS_PER_SLOT = 8;
const POLLS_MAX = 2 * POLLS_PER_SLOT;

/** A blockhash that belongs to no block. No nonce counts as created with it. */
const NO_BLOCKHASH = new Uint8Array(32);

/**
 * Whether a transaction is rejected in the current slot but not in the next. It then uses or advances a
 * nonce, or uses lookup table addresses created in the current slot. On a cluster, clients that wait for
 * confirmation never see this, because confirmation takes longer than a slot. Here confirmation is immediate.
 */
export function isForNextSlot(ledger: LedgerReads, transaction: Transaction): boolean {
  return (
    isOnNewNonce(ledger, transaction) ||
    changesNewNonce(ledger, transaction) ||
    readsNewAddresses(ledger, transaction)
  );
}

/** Resolves in the next slot, or after the duration of two slots, because the clock may be paused. */
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

/** Maximum age, in blocks. A lookup table closed that long ago is gone (`SlotHashes`). */
const AGES_MAX = 513;

/** Returns the ages of slots as of `slot`, the current or the next slot. */
export function slotAges(ledger: BlockReads, slot: number): SlotAges {
  return {
    slot,
    blocksSince(past) {
      if (past > slot) return slot - past;
      const slots = ledger.slotsWithBlocks(past, slot, AGES_MAX + 1);
      return slots[0] === past ? slots.length - 1 : undefined;
    },
  };
}
