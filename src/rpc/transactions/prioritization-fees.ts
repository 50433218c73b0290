import type { Block } from '../../ledger/block.ts';
import type { LedgerReads } from '../../ledger/ledger.ts';
import { readComputeBudget } from '../../ledger/run/compute-budget.ts';
import { chargedUnitPrice } from '../../ledger/run/fee.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { writableKeys } from './account-keys.ts';

/** How many slots back prices are reported (Agave `MAX_NUM_RECENT_BLOCKS`). */
const RECENT_SLOTS = 150;

/**
 * Most transactions read per answer. In a busy minute the oldest slots are left out rather than blocking the
 * node.
 */
const TRANSACTIONS_READ_MAX = 1_000;

/** The price of landing in a slot, micro-lamports per compute unit. */
interface SlotPrice {
  readonly slot: number;
  readonly unitPrice: bigint;
}

/**
 * The lowest price at which transactions landed in each recent finished slot, oldest first; 0 for a slot
 * without bids. With `keys`, only transactions that wrote to one of them count, and the most expensive key
 * decides (Agave `PrioritizationFeeCache::get_prioritization_fees`).
 */
export function recentPrices(ledger: LedgerReads, keys: readonly Address[]): readonly SlotPrice[] {
  const last = ledger.head().slot - 1;
  const slots = ledger.slotsWithBlocks(Math.max(0, last - RECENT_SLOTS + 1), last, RECENT_SLOTS);
  const prices: SlotPrice[] = [];
  let readCount = 0;
  for (const slot of slots.toReversed()) {
    const block = ledger.block(slot);
    if (block === null || readCount >= TRANSACTIONS_READ_MAX) break;
    readCount += block.transactions.length;
    prices.push({ slot, unitPrice: blockPrice(block, keys) });
  }
  return prices.toReversed();
}

function blockPrice({ transactions }: Block, keys: readonly Address[]): bigint {
  let lowest: bigint | undefined;
  const lowestByKey = new Map<Address, bigint>();
  for (const record of transactions) {
    const transaction = decodeTransaction(record.wire);
    const budget = readComputeBudget(transaction);
    // A transaction without requested units bids nothing, whatever its unit price.
    if ('err' in budget || budget.unitLimit === 0) continue;
    const price = chargedUnitPrice(budget);
    lowest = lower(lowest, price);
    if (keys.length === 0) continue;
    const written = writableKeys(transaction, record.loadedAddresses);
    for (const key of keys) {
      if (written.includes(key)) lowestByKey.set(key, lower(lowestByKey.get(key), price));
    }
  }
  return [...lowestByKey.values()].reduce(
    (dearest, price) => (price > dearest ? price : dearest),
    lowest ?? 0n,
  );
}

function lower(left: bigint | undefined, right: bigint): bigint {
  return left === undefined || right < left ? right : left;
}
