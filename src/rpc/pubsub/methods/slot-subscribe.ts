import { writeJson } from '../../../json/write-json.ts';
import { defineSubscription } from '../subscription-method.ts';
import { SLOT_BEGAN } from '../topic.ts';

/**
 * `slotSubscribe([])`: every new slot (Agave `SlotInfo`). The root is the newest slot that can no longer
 * change, which on a single-node ledger is the parent.
 */
export const slotSubscribe = defineSubscription('slotSubscribe', { required: [], optional: [] }, () => ({
  key: 'slot',
  notification: 'slotNotification',
  sources: [SLOT_BEGAN],
  results(happening) {
    if (happening.kind !== 'slot-began') return [];
    const { slot, parentSlot: parent } = happening;
    return [writeJson({ slot, parent, root: parent })];
  },
}));
