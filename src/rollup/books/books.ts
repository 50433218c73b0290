import type { Address } from '../../solana/address.ts';
import { CALLBACK_CALL, type CallbackCall } from './callback-call.ts';
import { nextSequence } from './counter.ts';
import { TASK, taskOf, type CrankTask } from './crank-task.ts';
import { EPHEMERAL, ephemeralOf, type EphemeralAccount } from './ephemeral-account.ts';
import { baseGenesisHashOf } from './header.ts';
import { INTENT, intentHolding, type Intent } from './intent.ts';
import { type BooksAccounts, listItems } from './item.ts';
import { RESCUE, rescueOf, type Rescue } from './rescue.ts';
import { REQUEST, requestOf, type SettlementRequest } from './settlement-request.ts';

/**
 * What the rollup has taken upon itself and must not forget, as its accounts have it now. What changes in it
 * is in the commit of what caused the change: see `entries.ts`.
 */
export class BooksView {
  readonly #accounts: BooksAccounts;

  constructor(accounts: BooksAccounts) {
    this.#accounts = accounts;
  }

  /** base58, of the base ledger the books are for. */
  get baseGenesisHash(): string {
    return baseGenesisHashOf(this.#accounts);
  }

  /** Open requests to undelegate, in the order they were accepted. */
  requests(): readonly SettlementRequest[] {
    return listItems(REQUEST, this.#accounts);
  }

  requestOf(eata: Address): SettlementRequest | null {
    return requestOf(this.#accounts, eata);
  }

  /** Intents that base has not carried out, in the order they were accepted. */
  intents(): readonly Intent[] {
    return listItems(INTENT, this.#accounts);
  }

  /**
   * Whether an account was asked for back, by a request or an intent: nothing may be done with it any more.
   */
  isGoingBack(account: Address): boolean {
    return requestOf(this.#accounts, account) !== null || intentHolding(this.#accounts, account) !== null;
  }

  tasks(): readonly CrankTask[] {
    return listItems(TASK, this.#accounts);
  }

  taskOf(taskId: bigint): CrankTask | null {
    return taskOf(this.#accounts, taskId);
  }

  /** Callbacks that have to run, in the order of their intents. */
  callbacks(): readonly CallbackCall[] {
    return listItems(CALLBACK_CALL, this.#accounts);
  }

  ephemerals(): readonly EphemeralAccount[] {
    return listItems(EPHEMERAL, this.#accounts);
  }

  ephemeralOf(address: Address): EphemeralAccount | null {
    return ephemeralOf(this.#accounts, address);
  }

  rescues(): readonly Rescue[] {
    return listItems(RESCUE, this.#accounts);
  }

  rescueOf(account: Address): Rescue | null {
    return rescueOf(this.#accounts, account);
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
