import type { Address } from '../../solana/address.ts';
import {
  CALLBACK_CALL,
  type CallbackCall,
  heldBy,
  HOLD,
  INTENT,
  type Intent,
  type NewIntent,
  type CrankTask,
  EPHEMERAL,
  type EphemeralAccount,
  REQUEST,
  RESCUE,
  type Rescue,
  type SettlementRequest,
  TASK,
} from './items.ts';
import {
  baseGenesisHashOf,
  type BooksAccounts,
  counterEntry,
  deletedItem,
  type Entry,
  headerEntry,
  itemEntry,
  listItems,
  nextSequence,
  readItem,
} from './item.ts';

/** The rollup's books, read from its accounts. A change to the books is in the same commit as its cause. */
export class BooksView {
  readonly #accounts: BooksAccounts;

  constructor(accounts: BooksAccounts) {
    this.#accounts = accounts;
  }

  /** Genesis hash of the base ledger that the books belong to, base58. */
  get baseGenesisHash(): string {
    return baseGenesisHashOf(this.#accounts);
  }

  /** Returns the open requests to undelegate, in the order of acceptance. */
  requests(): readonly SettlementRequest[] {
    return listItems(REQUEST, this.#accounts);
  }

  requestOf(eata: Address): SettlementRequest | null {
    return readItem(REQUEST, this.#accounts, { eata });
  }

  /** Intents that base has not executed yet, in the order of acceptance. */
  intents(): readonly Intent[] {
    return listItems(INTENT, this.#accounts);
  }

  /** Returns the id of the intent that returns an eATA or a carrier of lamports; null if there is none. */
  intentHolding(account: Address): bigint | null {
    return readItem(HOLD, this.#accounts, { account })?.intentId ?? null;
  }

  /** Whether the account is frozen because a request or an intent returns it. */
  isGoingBack(account: Address): boolean {
    return this.requestOf(account) !== null || this.intentHolding(account) !== null;
  }

  tasks(): readonly CrankTask[] {
    return listItems(TASK, this.#accounts);
  }

  taskOf(taskId: bigint): CrankTask | null {
    return readItem(TASK, this.#accounts, { taskId });
  }

  /** Callbacks that have not run yet, in the order of their intents. */
  callbacks(): readonly CallbackCall[] {
    return listItems(CALLBACK_CALL, this.#accounts);
  }

  ephemerals(): readonly EphemeralAccount[] {
    return listItems(EPHEMERAL, this.#accounts);
  }

  ephemeralOf(address: Address): EphemeralAccount | null {
    return readItem(EPHEMERAL, this.#accounts, { address });
  }

  rescues(): readonly Rescue[] {
    return listItems(RESCUE, this.#accounts);
  }

  rescueOf(account: Address): Rescue | null {
    return readItem(RESCUE, this.#accounts, { account });
  }

  /** The sequence of the next request. */
  get nextRequest(): bigint {
    return nextSequence(REQUEST, this.#accounts);
  }

  /** The id of the next intent. */
  get nextIntent(): bigint {
    return nextSequence(INTENT, this.#accounts);
  }
}

/** Creates the empty books of a new rollup on top of a base ledger. @param baseGenesisHash base58. */
export function emptyBooks(baseGenesisHash: string): Entry[] {
  return [headerEntry(baseGenesisHash), counterEntry(REQUEST, 1n), counterEntry(INTENT, 1n)];
}

/**
 * Returns the entries that add requests, in this order. The commit must contain no other requests.
 *
 * @param books the books before the commit.
 */
export function newRequestEntries(
  books: Pick<BooksView, 'nextRequest'>,
  requests: readonly Pick<SettlementRequest, 'eata' | 'undelegation'>[],
): Entry[] {
  if (requests.length === 0) return [];
  const first = books.nextRequest;
  const entries = requests.map((request, index) =>
    itemEntry(REQUEST, { ...request, sequence: first + BigInt(index), signature: null }),
  );
  return [...entries, counterEntry(REQUEST, first + BigInt(requests.length))];
}

/**
 * Returns the entries that add intents, in this order, and freeze the accounts they return. The commit must
 * contain no other intents.
 *
 * @param books the books before the commit.
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

/** Returns the entries that end an intent: they unfreeze its accounts and add the callbacks to run. */
export function endedIntentEntries(intent: Intent, calls: readonly CallbackCall[]): readonly Entry[] {
  return [
    deletedItem(INTENT, intent),
    ...heldBy(intent).map((account) => deletedItem(HOLD, { account })),
    ...calls.map((call) => itemEntry(CALLBACK_CALL, call)),
  ];
}
