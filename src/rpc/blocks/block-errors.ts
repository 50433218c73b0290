import { RpcError } from '../errors.ts';

/** Solana's own codes about blocks and history (Agave `rpc-client-api`, `custom_error.rs`). */
const BLOCK_CLEANED_UP = -32001;
const BLOCK_NOT_AVAILABLE = -32004;
const SLOT_SKIPPED = -32007;
const NO_SNAPSHOT = -32008;
const FILTER_TRANSACTION_NOT_FOUND = -32020;

/** The history before `firstAvailableBlock` is no longer stored. */
export const blockCleanedUp = (slot: number | bigint, firstAvailableBlock: number): RpcError =>
  new RpcError(
    BLOCK_CLEANED_UP,
    `Block ${slot} cleaned up, does not exist on node. First available block: ${firstAvailableBlock}`,
  );

/** The slot lies in the future. */
export const blockNotAvailable = (slot: number | bigint): RpcError =>
  new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);

/** The slot was skipped and has no block. */
export const slotSkipped = (slot: number | bigint): RpcError =>
  new RpcError(SLOT_SKIPPED, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);

export const noSnapshot = (): RpcError => new RpcError(NO_SNAPSHOT, 'No snapshot');

/** The signature given as the bound of a history page is not part of that history. */
export const filterTransactionNotFound = (signature: string): RpcError =>
  new RpcError(FILTER_TRANSACTION_NOT_FOUND, `Transaction ${signature} not found`);
