import { type JsonOutput, writeJson } from '../../../json/write-json.ts';
import type { Block } from '../../../ledger/ledger.ts';
import { type FeedEvent, SLOT_BEGAN, SLOT_ENDED, type SlotEnded } from '../feeds.ts';
import { defineSubscription } from '../subscription-method.ts';

/** `rootSubscribe([])`: every finished slot, because nothing on this ledger is rolled back. */
export const rootSubscribe = defineSubscription('rootSubscribe', { required: [], optional: [] }, () => ({
  key: 'root',
  notification: 'rootNotification',
  sources: [SLOT_ENDED],
  results: (event) => (event.kind === 'slot-ended' ? [String(event.slot)] : []),
}));

/**
 * `slotSubscribe([])`: every new slot (Agave `SlotInfo`). The root is the newest slot that can no longer
 * change, which on a single-node ledger is the parent.
 */
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
 * `slotsUpdatesSubscribe([])`: the stages of every slot (Agave `SlotUpdate`). Its bank is created at its
 * start; at its end it is frozen, confirmed and rooted at once. A single-node ledger receives no shreds and
 * has no dead slots.
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

/** Every transaction is executed on its own here, so each is a separate entry. */
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
