import { type AccountReads, type Block, type LedgerReads, TransactionRejected } from '../../ledger/ledger.ts';
import { lookUpAddresses } from '../../ledger/run/account-keys.ts';
import {
  chargedUnitPrice,
  type ComputeBudget,
  readComputeBudget,
  transactionFee,
} from '../../ledger/run/fee.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { RECENT_BLOCKHASHES_SYSVAR } from '../../programs/sysvars.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { decodeTransaction, isSane, type Transaction } from '../../solana/transaction.ts';
import { invalidParams } from '../errors.ts';
import { writableKeys } from './account-keys.ts';
import { slotAges, usesNonce } from './next-slot.ts';

/** The budget of a transaction with an invalid compute budget, which is rejected before it pays. */
const NO_BUDGET: ComputeBudget = { unitLimit: 0, priorityFee: 0n };

/** Offset in RecentBlockhashes, which contains a u64 count, then each blockhash with its signature price. */
const NEWEST_PRICE_AT = 8 + 32;

/** The texts of Agave's `AddressLoaderError`. */
const TABLE_FAULTS: ReadonlyMap<TransactionError, string> = new Map([
  ['AddressLookupTableNotFound', 'Attempted to lookup addresses from a table that does not exist'],
  [
    'InvalidAddressLookupTableOwner',
    'Attempted to lookup addresses from an account owned by the wrong program',
  ],
  ['InvalidAddressLookupTableData', 'Attempted to lookup addresses from an invalid account'],
  ['InvalidAddressLookupTableIndex', 'Address lookup contains an invalid index'],
]);

/**
 * Returns the current fee of a transaction, in lamports; null if its blockhash is neither recent nor a nonce
 * (Agave `Bank::get_fee_for_message`).
 */
export function messageFee(ledger: LedgerReads, message: Transaction): bigint | null {
  const { blockhashAt, wire } = message;
  const blockhash = addressOf(wire.subarray(blockhashAt, blockhashAt + 32));
  const isKnown =
    ledger.isBlockhashValid(blockhash) || usesNonce(ledger, message, decodeBase58(ledger.head().blockhash));
  if (!isKnown) return null;
  if (isFree(ledger)) return 0n;
  const budget = readComputeBudget(message);
  return transactionFee(message, 'err' in budget ? NO_BUDGET : budget);
}

/** Whether the ledger charges no fees, according to the price published with its newest blockhash. */
function isFree(ledger: AccountReads): boolean {
  const data = ledger.getAccount(RECENT_BLOCKHASHES_SYSVAR)?.data;
  if (data === undefined || data.length < NEWEST_PRICE_AT + 8) return false;
  return viewOf(data).getBigUint64(NEWEST_PRICE_AT, true) === 0n;
}

/**
 * Checks that a message is consistent and that its lookup tables can be resolved at `slot`.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `SanitizeMessageError`.
 */
export function assertSaneMessage(ledger: LedgerReads, message: Transaction, slot: number): void {
  if (!isSane(message)) throw invalidParams('invalid transaction message: index out of bounds');
  try {
    for (const lookup of message.lookups) {
      lookUpAddresses(ledger.getAccount(lookup.table) ?? undefined, lookup, slotAges(ledger, slot));
    }
  } catch (error) {
    const fault = error instanceof TransactionRejected ? TABLE_FAULTS.get(error.reason) : undefined;
    throw fault === undefined ? error : invalidParams(`invalid transaction message: ${fault}`);
  }
}

/** Number of recent slots with reported prices (Agave `MAX_NUM_RECENT_BLOCKS`). */
const RECENT_SLOTS = 150;

/** Maximum number of transactions read per answer. In a busy minute, the oldest slots are omitted. */
const TRANSACTIONS_READ_MAX = 1_000;

/** The price of landing in a slot, in micro-lamports per compute unit. */
interface SlotPrice {
  readonly slot: number;
  readonly unitPrice: bigint;
}

/**
 * Returns the lowest price of a landed transaction in each recent finished slot, oldest first. The price of a
 * slot without bids is 0. With `keys`, it is the highest of the written keys' lowest prices (Agave
 * `PrioritizationFeeCache::get_prioritization_fees`).
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
    // A transaction that requests no units has no bid, even with a unit price.
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
