import { defineSubscription } from '../subscription-method.ts';
import { SLOT_ENDED } from '../topic.ts';

/** `rootSubscribe([])`: every finished slot, as nothing on this ledger is rolled back. */
export const rootSubscribe = defineSubscription('rootSubscribe', { required: [], optional: [] }, () => ({
  key: 'root',
  notification: 'rootNotification',
  sources: [SLOT_ENDED],
  results: (happening) => (happening.kind === 'slot-ended' ? [String(happening.slot)] : []),
}));
