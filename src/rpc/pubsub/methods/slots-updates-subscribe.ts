import type { Block } from '../../../ledger/block.ts';
import type { JsonOutput } from '../../../json/json-value.ts';
import { writeJson } from '../../../json/write-json.ts';
import type { Happening, SlotEnded } from '../happening.ts';
import { defineSubscription } from '../subscription-method.ts';
import { SLOT_BEGAN, SLOT_ENDED } from '../topic.ts';

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
    results: (happening) => stagesOf(happening).map(writeJson),
  }),
);

function stagesOf(happening: Happening): readonly JsonOutput[] {
  if (happening.kind === 'slot-ended') return endOf(happening);
  if (happening.kind !== 'slot-began') return [];
  const { slot, parentSlot: parent, unixMs: timestamp } = happening;
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
