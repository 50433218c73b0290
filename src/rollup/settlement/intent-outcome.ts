import type { CallbackCall } from '../books/callback-call.ts';
import { endedIntentEntries } from '../books/entries.ts';
import type { Intent, IntentCallback } from '../books/intent.ts';
import type { Entry } from '../books/item.ts';
import { paidOutEntries, payoutsOf } from './payouts.ts';
import type { Ledgers } from './claim.ts';

/** What a callback is told. */
type Told = Pick<CallbackCall, 'ok' | 'error' | 'receipt'>;

/** What is told of an action without which its intent was carried out. */
const GIVEN_UP: Told = { ok: false, error: 'base refused it again and again', receipt: null };

/**
 * What follows on the rollup from an intent that base has carried out in a transaction (base58 signature):
 * all of it is in one commit with the end of the projections it gave back. The intent is as the books have
 * it: actions that were given up are not in it any more.
 */
export function carriedOutEntries(
  intent: Intent,
  signature: string,
  ledgers: Pick<Ledgers, 'rollup' | 'projections'>,
): readonly Entry[] {
  const done: Told = { ok: true, error: '', receipt: signature };
  const calls = callsOf(intent, ({ actionIndex }) => (actionIndex < intent.actions.length ? done : GIVEN_UP));
  return [...endedIntentEntries(intent, calls), ...(paidOutEntries(payoutsOf(intent), ledgers) ?? [])];
}

/** What follows on the rollup from an intent that base has refused: what it gave back goes on. */
export function refusedEntries(intent: Intent, error: string): readonly Entry[] {
  return endedIntentEntries(
    intent,
    callsOf(intent, () => ({ ok: false, error, receipt: null })),
  );
}

/** The callbacks of an intent, with what they are told. */
function callsOf({ id, callbacks }: Intent, tell: (callback: IntentCallback) => Told): CallbackCall[] {
  return callbacks.map((callback, index) => ({ intentId: id, index, callback, ...tell(callback) }));
}
