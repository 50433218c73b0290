import { LongText } from '../../json/long-text.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import type { Block, BlockReads, LedgerReads, TransactionRecord } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { RpcError } from '../errors.ts';
import { bool, flattenedCommitment, optional, struct, u8, untagged, variant } from '../params/readers.ts';
import { LARGE, listInSteps, type Steps } from '../scan/scan.ts';
import { showTransaction, showTransactionAccounts, showVersion } from '../transactions/show-transaction.ts';
import { transactionEncoding, type TransactionEncoding } from '../wire/encoded-transaction.ts';

/** Solana's error codes for blocks and history (Agave `rpc-client-api`, `custom_error.rs`). */
const BLOCK_CLEANED_UP = -32001;
const BLOCK_NOT_AVAILABLE = -32004;
const SLOT_SKIPPED = -32007;
const NO_SNAPSHOT = -32008;
const FILTER_TRANSACTION_NOT_FOUND = -32020;

/** Creates the error for a block no longer stored. `firstAvailableBlock` is the oldest stored slot. */
const blockCleanedUp = (slot: number | bigint, firstAvailableBlock: number): RpcError =>
  new RpcError(
    BLOCK_CLEANED_UP,
    `Block ${slot} cleaned up, does not exist on node. First available block: ${firstAvailableBlock}`,
  );

/** Creates the error for a slot in the future. */
export const blockNotAvailable = (slot: number | bigint): RpcError =>
  new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);

/** Creates the error for a slot without a block. */
const slotSkipped = (slot: number | bigint): RpcError =>
  new RpcError(SLOT_SKIPPED, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);

export const noSnapshot = (): RpcError => new RpcError(NO_SNAPSHOT, 'No snapshot');

/** Creates the error for a `before` or `until` signature that is not in the history. */
export const filterTransactionNotFound = (signature: string): RpcError =>
  new RpcError(FILTER_TRANSACTION_NOT_FOUND, `Transaction ${signature} not found`);

/**
 * Returns the block of a slot up to `last`, by default the newest finished and durable slot. Clients cache
 * blocks, so the returned block must not change.
 *
 * @throws {RpcError} -32004 for a slot above `last`, -32001 for a block no longer stored, -32007 for a
 *   skipped slot.
 */
export function findBlock(ledger: LedgerReads, slot: bigint, last = ledger.finishedSlot()): Block {
  if (slot > BigInt(last)) throw blockNotAvailable(slot);
  const block = ledger.block(Number(slot));
  if (block !== null) return block;
  const firstSlot = ledger.firstSlot();
  throw slot < BigInt(firstSlot) ? blockCleanedUp(slot, firstSlot) : slotSkipped(slot);
}

/** Maximum range of slots per answer (Agave `MAX_GET_CONFIRMED_BLOCKS_RANGE`). */
export const BLOCKS_RANGE_MAX = 500_000n;

/** Slots written per step. A shorter list is written at once. */
const SLOTS_AT_ONCE = 512;

type Blocks = Pick<BlockReads, 'firstSlot' | 'countBlocks' | 'slotsWithBlocks'>;

/** Lists up to `limit` slots with a block as JSON. `to` must be a finished slot. */
export function* listSlots(ledger: Blocks, from: number, to: number, limit: number): Steps<LongText> {
  const first = Math.max(from, ledger.firstSlot());
  const last = Math.min(to, first + limit - 1);
  if (last - first >= SLOTS_AT_ONCE) yield LARGE;
  // Collecting hundreds of thousands of slots is slow. It is unnecessary if every slot has a block, which is
  // the case without time travel.
  const isGapless = last >= first && ledger.countBlocks(first, last) === last - first + 1;
  const slots = isGapless ? null : ledger.slotsWithBlocks(from, to, limit);
  const list = new LongText().append('[');
  const count = slots?.length ?? last - first + 1;
  for (let at = 0; at < count; at += SLOTS_AT_ONCE) {
    const size = Math.min(SLOTS_AT_ONCE, count - at);
    const piece =
      slots?.slice(at, at + size) ?? Array.from({ length: size }, (_, index) => first + at + index);
    const before = list.length;
    list.append(`${at === 0 ? '' : ','}${piece.join(',')}`);
    yield list.length - before;
  }
  return list.append(']');
}

/** The level of detail of a block's transactions (Agave `TransactionDetails`). */
export const transactionDetailsName = variant(['full', 'signatures', 'none', 'accounts']);

export type TransactionDetails = ReturnType<typeof transactionDetailsName>;

/** The parts of a block to show, and their format. */
export interface BlockOptions {
  readonly encoding: TransactionEncoding;
  readonly transactionDetails: TransactionDetails;
  readonly rewards: boolean;
  /** The newest transaction version that the caller supports; undefined for legacy transactions only. */
  readonly maxSupportedTransactionVersion: number | undefined;
}

/** Agave's `RpcBlockConfig`. */
interface BlockConfig {
  readonly encoding?: TransactionEncoding | undefined;
  readonly transactionDetails?: TransactionDetails | undefined;
  readonly rewards?: boolean | undefined;
  readonly commitment?: Commitment | undefined;
  readonly maxSupportedTransactionVersion?: number | undefined;
}

/** Agave `RpcEncodingConfigWrapper<RpcBlockConfig>`: a bare encoding or a config. */
export const encodingOrBlockConfig = untagged<BlockConfig>('RpcEncodingConfigWrapper', [
  (value) => ({ encoding: transactionEncoding(value) }),
  struct<BlockConfig>(
    'RpcBlockConfig',
    {
      encoding: optional(transactionEncoding),
      transactionDetails: optional(transactionDetailsName),
      rewards: optional(bool),
      commitment: flattenedCommitment,
      maxSupportedTransactionVersion: optional(u8),
    },
    { hasFlattened: true },
  ),
]);

/** Returns the options of a config, with Agave's defaults. */
export function blockOptions(config: BlockConfig = {}): BlockOptions {
  return {
    encoding: config.encoding ?? 'json',
    transactionDetails: config.transactionDetails ?? 'full',
    rewards: config.rewards ?? true,
    maxSupportedTransactionVersion: config.maxSupportedTransactionVersion,
  };
}

/** Number of transactions up to which a block is written at once, which is no slower than other calls. */
const SMALL_COUNT = 64;

/**
 * Shows a block for `getBlock` and `blockSubscribe` (Agave `UiConfirmedBlock`). This ledger pays no rewards.
 *
 * @throws {RpcError} -32015 if the caller does not support the version of a shown transaction.
 */
export function showBlock(block: Block, options: BlockOptions): JsonOutputObject {
  return showWith(
    block,
    options,
    showsTransactions(options)
      ? block.transactions.map((record) => showBlockTransaction(record, options))
      : undefined,
  );
}

/** Shows a block like {@link showBlock}, with one transaction per step. */
export function* showBlockInSteps(block: Block, options: BlockOptions): Steps<JsonOutput> {
  if (!showsTransactions(options)) return showBlock(block, options);
  if (block.transactions.length > SMALL_COUNT) yield LARGE;
  const show = (record: TransactionRecord): JsonOutput => showBlockTransaction(record, options);
  return showWith(block, options, yield* listInSteps(block.transactions, show));
}

function showsTransactions({ transactionDetails }: BlockOptions): boolean {
  return transactionDetails === 'full' || transactionDetails === 'accounts';
}

function showWith(
  block: Block,
  { transactionDetails, rewards }: BlockOptions,
  transactions: JsonOutput | undefined,
): JsonOutputObject {
  return {
    blockHeight: block.blockHeight,
    blockTime: block.blockTime,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.previousBlockhash,
    rewards: rewards ? [] : undefined,
    signatures:
      transactionDetails === 'signatures' ? block.transactions.map(({ signature }) => signature) : undefined,
    transactions,
  };
}

function showBlockTransaction(record: TransactionRecord, options: BlockOptions): JsonOutput {
  const decoded = decodeTransaction(record.wire);
  const version = showVersion(decoded, options.maxSupportedTransactionVersion);
  const { meta, transaction } =
    options.transactionDetails === 'accounts'
      ? showTransactionAccounts(record, decoded, options.rewards)
      : showTransaction(record, decoded, options.encoding, options.rewards);
  return { meta, transaction, version };
}
