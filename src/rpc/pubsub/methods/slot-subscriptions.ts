import { type JsonOutput, writeJson } from '../../../json/write-json.ts';
import type { Block, TransactionRecord } from '../../../ledger/ledger.ts';
import { allAccountKeys } from '../../../ledger/run/account-keys.ts';
import type { Commitment } from '../../../solana/commitment.ts';
import { decodeTransaction } from '../../../solana/transaction.ts';
import {
  type BlockOptions,
  showBlock,
  type TransactionDetails,
  transactionDetailsName,
} from '../../blocks/blocks.ts';
import { RpcError, UNSUPPORTED_TRANSACTION_VERSION } from '../../errors.ts';
import { bool, flattenedCommitment, optional, string, struct, tagged, u8 } from '../../params/readers.ts';
import { refuseProcessed } from '../../transactions/show-transaction.ts';
import { transactionEncoding, type TransactionEncoding } from '../../wire/encoded-transaction.ts';
import { type FeedEvent, inSlot, SLOT_BEGAN, SLOT_ENDED, type SlotEnded } from '../feeds.ts';
import { defineSubscription, parseAddress } from '../subscription-method.ts';

/** `rootSubscribe([])`: reports every finished slot, because this ledger never rolls back. */
export const rootSubscribe = defineSubscription('rootSubscribe', { required: [], optional: [] }, () => ({
  key: 'root',
  notification: 'rootNotification',
  sources: [SLOT_ENDED],
  results: (event) => (event.kind === 'slot-ended' ? [String(event.slot)] : []),
}));

/** `slotSubscribe([])`: reports every new slot (Agave `SlotInfo`). A single node's parent is the root. */
export const slotSubscribe = defineSubscription('slotSubscribe', { required: [], optional: [] }, () => ({
  key: 'slot',
  notification: 'slotNotification',
  sources: [SLOT_BEGAN],
  results(event) {
    if (event.kind !== 'slot-began') return [];
    const { slot, parentSlot: parent } = event;
    return [writeJson({ slot, parent, root: parent })];
  },
}));

/**
 * `slotsUpdatesSubscribe([])`: reports the stages of every slot (Agave `SlotUpdate`). The bank is created
 * when the slot starts. It is frozen, confirmed and rooted when the slot ends. A single node receives no
 * shreds and has no dead slots.
 */
export const slotsUpdatesSubscribe = defineSubscription(
  'slotsUpdatesSubscribe',
  { required: [], optional: [] },
  () => ({
    key: 'slotsUpdates',
    notification: 'slotsUpdatesNotification',
    sources: [SLOT_BEGAN, SLOT_ENDED],
    results: (event) => stagesOf(event).map(writeJson),
  }),
);

function stagesOf(event: FeedEvent): readonly JsonOutput[] {
  if (event.kind === 'slot-ended') return endOf(event);
  if (event.kind !== 'slot-began') return [];
  const { slot, parentSlot: parent, unixMs: timestamp } = event;
  return [{ type: 'createdBank', slot, parent, timestamp }];
}

function endOf({ slot, block, unixMs: timestamp }: SlotEnded): readonly JsonOutput[] {
  return [
    { type: 'frozen', slot, timestamp, stats: statsOf(block()) },
    { type: 'optimisticConfirmation', slot, timestamp },
    { type: 'root', slot, timestamp },
  ];
}

/** Returns the statistics of a block. Each transaction runs separately and is one entry. */
function statsOf(block: Block | null): JsonOutput {
  const transactions = block?.transactions ?? [];
  const failed = transactions.filter(({ err }) => err !== null).length;
  return {
    numTransactionEntries: transactions.length,
    numSuccessfulTransactions: transactions.length - failed,
    numFailedTransactions: failed,
    maxTransactionsPerEntry: transactions.length === 0 ? 0 : 1,
  };
}

/** Reads Agave's `RpcBlockSubscribeFilter`. */
const blockFilter = tagged<{ readonly mentioned: string | undefined }>({
  all: { unit: { mentioned: undefined } },
  mentionsAccountOrProgram: { content: (value) => ({ mentioned: string(value) }) },
});

interface BlockConfig {
  readonly commitment: Commitment | undefined;
  readonly encoding: TransactionEncoding | undefined;
  readonly transactionDetails: TransactionDetails | undefined;
  readonly showRewards: boolean | undefined;
  readonly maxSupportedTransactionVersion: number | undefined;
}

/** Reads Agave's `RpcBlockSubscribeConfig`. */
const blockConfig = struct<BlockConfig>(
  'RpcBlockSubscribeConfig',
  {
    commitment: flattenedCommitment,
    encoding: optional(transactionEncoding),
    transactionDetails: optional(transactionDetailsName),
    showRewards: optional(bool),
    maxSupportedTransactionVersion: optional(u8),
  },
  { hasFlattened: true },
);

/**
 * `blockSubscribe([filter, config?])`: reports every block at the end of its slot. With an address, reports
 * only transactions with this key and blocks that contain them. Agave requires a flag for this method.
 */
export const blockSubscribe = defineSubscription(
  'blockSubscribe',
  { required: [blockFilter], optional: [blockConfig] },
  (_node, wanted, config) => {
    refuseProcessed(config?.commitment);
    const mentioned =
      wanted.mentioned === undefined
        ? undefined
        : parseAddress(wanted.mentioned, 'mentions_account_or_program');
    const options: BlockOptions = {
      encoding: config?.encoding ?? 'base64',
      transactionDetails: config?.transactionDetails ?? 'full',
      rewards: config?.showRewards ?? false,
      maxSupportedTransactionVersion: config?.maxSupportedTransactionVersion,
    };
    return {
      key: ['block', mentioned, ...Object.values(options), config?.commitment ?? 'finalized'].join(' '),
      notification: 'blockNotification',
      sources: [SLOT_ENDED],
      results(event) {
        const whole = event.kind === 'slot-ended' ? event.block() : null;
        const block = mentioned === undefined || whole === null ? whole : onlyWith(whole, mentioned);
        return block === null ? [] : [inSlot(block.slot, writeJson(showUpdate(block, options)))];
      },
    };
  },
);

/** Reduces a block to the transactions with an address among their keys; null if none remain. */
function onlyWith(block: Block, address: string): Block | null {
  const transactions = block.transactions.filter((record) => names(record, address));
  return transactions.length === 0 ? null : { ...block, transactions };
}

function names({ wire, loadedAddresses }: TransactionRecord, address: string): boolean {
  return allAccountKeys(decodeTransaction(wire), loadedAddresses).some((key) => key === address);
}

/** Shows a block, or an error if the client does not support it (Agave `RpcBlockUpdate`). */
function showUpdate(block: Block, options: BlockOptions): JsonOutput {
  const { slot } = block;
  try {
    return { slot, block: showBlock(block, options), err: null };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== UNSUPPORTED_TRANSACTION_VERSION) throw error;
    return { slot, block: null, err: { UnsupportedTransactionVersion: unknownVersion(block, options) } };
  }
}

/** Returns the first transaction version in a block that the client does not support. */
function unknownVersion(
  block: Block,
  { maxSupportedTransactionVersion: max }: BlockOptions,
): number | undefined {
  for (const { wire } of block.transactions) {
    const { version } = decodeTransaction(wire);
    if (version !== 'legacy' && (max === undefined || version > max)) return version;
  }
  return undefined;
}
