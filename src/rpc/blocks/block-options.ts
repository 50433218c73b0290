import type { Commitment } from '../../solana/commitment.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { bool, u8 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { untagged } from '../params/untagged.ts';
import { variant } from '../params/variant.ts';
import { transactionEncoding, type TransactionEncoding } from '../wire/encoded-transaction.ts';

/** How much of its transactions a block shows (Agave `TransactionDetails`). */
export const transactionDetails = variant(['full', 'signatures', 'none', 'accounts']);

export type TransactionDetails = ReturnType<typeof transactionDetails>;

/** What to show of a block, and how. */
export interface BlockOptions {
  readonly encoding: TransactionEncoding;
  readonly transactionDetails: TransactionDetails;
  readonly rewards: boolean;
  /** The newest transaction version the caller supports; undefined for legacy only. */
  readonly maxSupportedTransactionVersion: number | undefined;
}

/** Agave `RpcBlockConfig`. */
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
      transactionDetails: optional(transactionDetails),
      rewards: optional(bool),
      commitment: flattenedCommitment,
      maxSupportedTransactionVersion: optional(u8),
    },
    { hasFlattened: true },
  ),
]);

/** The options of a config, with Agave's defaults. */
export function blockOptions(config: BlockConfig = {}): BlockOptions {
  return {
    encoding: config.encoding ?? 'json',
    transactionDetails: config.transactionDetails ?? 'full',
    rewards: config.rewards ?? true,
    maxSupportedTransactionVersion: config.maxSupportedTransactionVersion,
  };
}
