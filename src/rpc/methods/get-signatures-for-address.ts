import type { TransactionRecord } from '../../ledger/execution.ts';
import { SignatureUnknown, type HistoryReads, type SignatureQuery } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { invalidParams } from '../errors.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress, verifySignature } from '../params/keys.ts';
import { string, u64, usize } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineScan } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';
import { largeBeyond } from '../scan/large-beyond.ts';
import { listInSteps } from '../scan/list-in-steps.ts';
import { filterTransactionNotFound } from '../blocks/block-errors.ts';
import { refuseProcessed } from '../transactions/confirmed-only.ts';
import { describeMemos } from '../transactions/transaction-memo.ts';

/**
 * Most signatures per answer, which is also the default (Agave
 * `MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT`).
 */
const SIGNATURES_MAX = 1_000;

/** Pages up to this size are produced at once. */
const SMALL_COUNT = 64;

interface SignaturesConfig {
  readonly before: string | undefined;
  readonly until: string | undefined;
  readonly limit: bigint | undefined;
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}

/** Agave `RpcSignaturesForAddressConfig`. */
const signaturesConfig = struct<SignaturesConfig>(
  'RpcSignaturesForAddressConfig',
  {
    before: optional(string),
    until: optional(string),
    limit: optional(usize),
    commitment: flattenedCommitment,
    minContextSlot: optional(u64),
  },
  { hasFlattened: true },
);

/**
 * `getSignaturesForAddress([address, config?])`: a page of the transactions that name an address, newest
 * first.
 */
export const getSignaturesForAddress = defineScan(
  'getSignaturesForAddress',
  { required: [string], optional: [signaturesConfig] },
  function* (node, text, config) {
    const query = readQuery(text, config);
    refuseProcessed(config?.commitment);
    readHead(node, config);
    const records = findRecords(node.ledger, query);
    return yield* largeBeyond(SMALL_COUNT, listInSteps(records, showEntry));
  },
);

function readQuery(text: string, config: SignaturesConfig | undefined): SignatureQuery {
  const address = verifyAddress(text);
  const before = config?.before === undefined ? {} : { before: verifySignature(config.before) };
  const until = config?.until === undefined ? {} : { until: verifySignature(config.until) };
  const limit = config?.limit ?? BigInt(SIGNATURES_MAX);
  if (limit === 0n || limit > SIGNATURES_MAX) throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`);
  return { address, ...before, ...until, limit: Number(limit) };
}

function findRecords(ledger: HistoryReads, query: SignatureQuery): Iterable<TransactionRecord | null> {
  try {
    return ledger.historyOf(query);
  } catch (error) {
    if (error instanceof SignatureUnknown) throw filterTransactionNotFound(error.signature);
    throw error;
  }
}

function showEntry(record: TransactionRecord | null): JsonOutput | undefined {
  if (record === null) return undefined;
  const { blockTime, err, signature, slot, index } = record;
  return {
    blockTime,
    confirmationStatus: 'finalized',
    err,
    memo: describeMemos(record),
    signature,
    slot,
    transactionIndex: index,
  };
}
