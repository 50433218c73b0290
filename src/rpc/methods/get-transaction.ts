import type { Commitment } from '../../solana/commitment.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifySignature } from '../params/keys.ts';
import { string, u8 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { untagged } from '../params/untagged.ts';
import { defineMethod } from '../rpc-method.ts';
import { refuseProcessed } from '../transactions/confirmed-only.ts';
import { showTransaction } from '../transactions/show-transaction.ts';
import { showVersion } from '../transactions/transaction-version.ts';
import { transactionEncoding, type TransactionEncoding } from '../wire/encoded-transaction.ts';

interface TransactionConfig {
  readonly encoding?: TransactionEncoding | undefined;
  readonly commitment?: Commitment | undefined;
  readonly maxSupportedTransactionVersion?: number | undefined;
}

/** Agave `RpcEncodingConfigWrapper<RpcTransactionConfig>`: a bare encoding or a config. */
const encodingOrConfig = untagged<TransactionConfig>('RpcEncodingConfigWrapper', [
  (value) => ({ encoding: transactionEncoding(value) }),
  struct<TransactionConfig>(
    'RpcTransactionConfig',
    {
      encoding: optional(transactionEncoding),
      commitment: flattenedCommitment,
      maxSupportedTransactionVersion: optional(u8),
    },
    { hasFlattened: true },
  ),
]);

/** `getTransaction([signature, config?])`: a landed transaction with its outcome, or null. */
export const getTransaction = defineMethod(
  'getTransaction',
  { required: [string], optional: [encodingOrConfig] },
  (node, text, config) => {
    const signature = verifySignature(text);
    refuseProcessed(config?.commitment);
    const record = node.ledger.getTransaction(signature);
    if (record === null) return null;
    const decoded = decodeTransaction(record.wire);
    const version = showVersion(decoded, config?.maxSupportedTransactionVersion);
    const { meta, transaction } = showTransaction(record, decoded, config?.encoding ?? 'json');
    const { blockTime, slot, index } = record;
    return { blockTime, meta, slot, transaction, transactionIndex: index, version };
  },
);
