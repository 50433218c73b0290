import type { CallbackCall } from '../books/callback-call.ts';
import { endedIntentEntries } from '../books/entries.ts';
import type { Intent } from '../books/intent.ts';
import type { Entry } from '../books/item.ts';
import { paidOutEntries, payoutsOf } from './payouts.ts';
import type { Ledgers } from './solvency.ts';

/**
 * What follows on the rollup from an intent that base has carried out in a transaction (base58 signature):
 * all of it is in one commit with the end of the projections it gave back.
 */
export function carriedOutEntries(
  intent: Intent,
  signature: string,
  ledgers: Pick<Ledgers, 'rollup' | 'projections'>,
): readonly Entry[] {
  const calls = callsOf(intent, { ok: true, error: '', receipt: signature });
  return [...endedIntentEntries(intent, calls), ...(paidOutEntries(payoutsOf(intent), ledgers) ?? [])];
}

/** What follows on the rollup from an intent that base has refused: what it gave back goes on. */
export function refusedEntries(intent: Intent, error: string): readonly Entry[] {
  return endedIntentEntries(intent, callsOf(intent, { ok: false, error, receipt: null }));
}

/** The callbacks of an intent, with what they are told. */
function callsOf(
  { id, callbacks }: Intent,
  outcome: Pick<CallbackCall, 'ok' | 'error' | 'receipt'>,
): CallbackCall[] {
  return callbacks.map((callback, index) => ({ intentId: id, index, callback, ...outcome }));
}
