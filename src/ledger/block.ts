import type { TransactionRecord } from './execution.ts';

/** What one slot added to the ledger. */
export interface Block {
  readonly slot: number;
  readonly parentSlot: number;
  readonly blockHeight: number;
  /** base58. */
  readonly blockhash: string;
  /** base58. */
  readonly previousBlockhash: string;
  /** When the slot began, Unix seconds. */
  readonly blockTime: number;
  /** In the order they landed. */
  readonly transactions: readonly TransactionRecord[];
}

/** Where a block is. */
export type BlockPlace = Pick<Block, 'slot' | 'blockHeight'>;
