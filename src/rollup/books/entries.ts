import { u64 } from '../../programs/instruction-data.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import type { BooksView } from './books.ts';
import { CALLBACK_CALL, type CallbackCall, callbackKey } from './callback-call.ts';
import { counterEntry } from './counter.ts';
import { type CrankTask, TASK, taskKey } from './crank-task.ts';
import { EPHEMERAL, type EphemeralAccount } from './ephemeral-account.ts';
import { headerEntry } from './header.ts';
import { heldBy, HOLD, INTENT, type Intent, type NewIntent } from './intent.ts';
import { type Entry, goneItem, itemEntry } from './item.ts';
import { RESCUE, type Rescue } from './rescue.ts';
import { REQUEST, type SettlementRequest } from './settlement-request.ts';

/** How the books change: the accounts that have to be in the commit of what causes it. */

/** The books of a new rollup on top of a base ledger (base58 genesis hash): nothing is in them. */
export function emptyBooks(baseGenesisHash: string): Entry[] {
  return [headerEntry(baseGenesisHash), counterEntry(REQUEST, 1n), counterEntry(INTENT, 1n)];
}

/**
 * Takes requests in, in their order. The commit must have no other requests.
 *
 * @param books as they are before the commit.
 */
export function newRequestEntries(
  books: Pick<BooksView, 'nextRequest'>,
  requests: readonly Pick<SettlementRequest, 'eata' | 'undelegation'>[],
): Entry[] {
  if (requests.length === 0) return [];
  const first = books.nextRequest;
  const entries = requests.map((request, index) =>
    requestEntry({ ...request, sequence: first + BigInt(index), signature: null }),
  );
  return [...entries, counterEntry(REQUEST, first + BigInt(requests.length))];
}

/** A request with what has changed in it. */
export function requestEntry(request: SettlementRequest): Entry {
  return itemEntry(REQUEST, request);
}

/** The request for an eATA is done. */
export function goneRequestEntry(eata: Address): Entry {
  return goneItem(REQUEST, addressBytes(eata));
}

/**
 * Takes intents in, in their order, and freezes what they give back. The commit must have no other intents.
 *
 * @param books as they are before the commit.
 */
export function intentEntries(
  books: Pick<BooksView, 'nextIntent'>,
  intents: readonly NewIntent[],
): readonly Entry[] {
  if (intents.length === 0) return [];
  const first = books.nextIntent;
  const entries = intents.flatMap((intent, index) => {
    const id = first + BigInt(index);
    const holds = heldBy(intent).map((account) => itemEntry(HOLD, { account, intentId: id }));
    return [itemEntry(INTENT, { ...intent, id, sent: null }), ...holds];
  });
  return [...entries, counterEntry(INTENT, first + BigInt(intents.length))];
}

/** An intent with the base transaction that was signed for it. */
export function sentIntentEntry(intent: Intent): Entry {
  return itemEntry(INTENT, intent);
}

/** An intent has ended: nothing is frozen by it any more, and its callbacks have to run. */
export function endedIntentEntries(intent: Intent, calls: readonly CallbackCall[]): readonly Entry[] {
  return [
    goneItem(INTENT, u64(intent.id)),
    ...heldBy(intent).map((account) => goneItem(HOLD, addressBytes(account))),
    ...calls.map((call) => itemEntry(CALLBACK_CALL, call)),
  ];
}

/** A callback has run. */
export function ranCallbackEntry(call: Pick<CallbackCall, 'intentId' | 'index'>): Entry {
  return goneItem(CALLBACK_CALL, callbackKey(call));
}

export function taskEntry(task: CrankTask): Entry {
  return itemEntry(TASK, task);
}

export function cancelTaskEntry(taskId: bigint): Entry {
  return goneItem(TASK, taskKey(taskId));
}

export function ephemeralEntry(account: EphemeralAccount): Entry {
  return itemEntry(EPHEMERAL, account);
}

/** An ephemeral account was closed; the account itself is removed by an entry of its own. */
export function goneEphemeralEntry(address: Address): Entry {
  return goneItem(EPHEMERAL, addressBytes(address));
}

export function rescueEntry({ account, reason }: Pick<Rescue, 'account' | 'reason'>): Entry {
  return itemEntry(RESCUE, { account, reason, signature: null });
}

/** A rescue with the base transaction that was signed for it. */
export function sentRescueEntry(rescue: Rescue): Entry {
  return itemEntry(RESCUE, rescue);
}

export function goneRescueEntry(account: Address): Entry {
  return goneItem(RESCUE, addressBytes(account));
}
