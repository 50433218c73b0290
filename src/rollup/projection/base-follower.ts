import type { AccountChange, LedgerEvent } from '../../ledger/ledger-events.ts';
import type { EarlierAccounts } from '../../ledger/state/accounts.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { decodeDelegationActions } from '../../programs/delegation/delegation-actions.ts';
import { deriveMagicFeeVault } from '../../programs/delegation/pdas.ts';
import { DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { QUEUE_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { deletedItem, itemEntry } from '../books/item.ts';
import { REQUEST, RESCUE } from '../books/items.ts';
import type { RollupContext } from '../rollup-context.ts';
import { endings, outcomeOf } from '../settlement/endings.ts';
import {
  addressOfSubject,
  type Delegation,
  endEntries,
  isStillDelegated,
  type Lookup,
  mayBeDelegated,
  readDelegation,
  type Subject,
} from './projections.ts';

type Entries = readonly (readonly [Address, Account])[];

/** The account changes caused by one event on base. They are applied together. */
interface Turn {
  readonly arrived: Delegation[];
  readonly dropped: Subject[];
  /** Other accounts that change in the same commit. */
  readonly entries?: Entries;
}

/** Whether a delegation has ended although the returned accounts still show it. */
type HasEnded = (subject: Subject) => boolean;

/**
 * Adds what base delegates to the rollup and removes it after the undelegation. Processes the durable events
 * of base one by one, so it never acts on a past or future state of base.
 *
 * Base is ahead of its published events in two ways: its accounts include changes that are not durable yet,
 * and its history includes durable transactions that are not published yet. Only published events start or
 * drop a delegation. A settlement in the history ends a delegation, possibly before its event is published.
 * Until then, nothing else may restore the delegation.
 */
export class BaseFollower {
  readonly #parts: RollupContext;
  #written: Promise<void> = Promise.resolve();

  constructor(parts: RollupContext) {
    this.#parts = parts;
  }

  /** Resolves when every event processed so far is durable in the rollup, or its write has failed. */
  get written(): Promise<void> {
    return this.#written;
  }

  /**
   * Updates the stored projections to the current state of base, including everything that happened while the
   * rollup was stopped. Must be called before subscribing to base: pending events then go only to other
   * subscribers.
   */
  catchUp(): void {
    this.#catchUp(this.#parts.base.state(), () => false);
  }

  /**
   * Catches up like {@link catchUp}, but only with the published events of base. Later changes may be lost in
   * a crash, so the rollup must not act on them yet. Their events follow.
   */
  catchUpWithPublished(): void {
    this.#catchUp(this.#parts.base.publishedState(), (subject) => this.#endsLater(subject));
  }

  /** Processes everything that base's history shows as settled. Resolves like {@link written}. */
  async processSettled(): Promise<void> {
    this.#endAllSettled();
    await this.#written;
  }

  /** Processes an event that became durable on base. */
  follow(event: LedgerEvent): void {
    if (event.kind === 'transaction' && event.record.err === null) {
      this.#endSettled((signature) => signature === event.record.signature);
    }
    const turn: Turn = { arrived: [], dropped: [] };
    const concerned = this.#concernedBy(event.changes);
    if (concerned.size > 0) {
      // Base's current state may include an undelegation that is not durable yet.
      const accounts = this.#parts.base.publishedState();
      for (const address of concerned) this.#review(address, (each) => accounts.get(each), turn);
    }
    this.#apply(turn);
    // An operator can change any part of a delegation, and a record does not name its account.
    if (event.kind === 'accounts' && event.changes.some(isOfDelegations)) this.catchUpWithPublished();
  }

  /** Removes every projection and every request, because base is a different ledger now. */
  dropAll(): void {
    this.#apply({ arrived: [], dropped: [...this.#parts.projections.all()] });
  }

  #catchUp(accounts: EarlierAccounts, hasEnded: HasEnded): void {
    const { projections, validator } = this.#parts;
    const lookup: Lookup = (address) => accounts.get(address);
    this.#endAllSettled();
    const turn: Turn = { arrived: [], dropped: [] };
    for (const subject of projections.all()) {
      if (!this.#goesOn(subject, lookup)) this.#dropLost(subject, turn);
    }
    const dropped = new Set(turn.dropped);
    for (const [address, { data }] of accounts.ownedBy(DELEGATION_PROGRAM)) {
      if (!mayBeDelegated(data)) continue;
      const known = projections.delegated(address);
      if (known !== undefined && !dropped.has(known)) continue;
      const delegation = readDelegation(address, lookup, validator.address);
      if (delegation !== null && !hasEnded(delegation.subject)) turn.arrived.push(delegation);
    }
    this.#apply(turn);
    for (const subject of projections.all()) this.#ensureCrank(addressOfSubject(subject));
  }

  #endAllSettled(): void {
    const { base } = this.#parts;
    this.#endSettled((signature, intent) =>
      intent === undefined
        ? base.getTransaction(signature)?.err === null
        : outcomeOf(intent, base).kind === 'carried out',
    );
  }

  /**
   * Processes settled items, each in one commit with all its consequences. If the rollup crashes after an
   * undelegation landed on base but before this commit, the request is still open after the restart and is
   * processed then.
   */
  #endSettled(hasLanded: Parameters<typeof endings>[1]): void {
    const { ledger, projections, validator } = this.#parts;
    const books = new BooksView(ledger.state());
    const context = { rollup: ledger.state(), projections, validator };
    for (const { returned, entries, announcement } of endings(books, hasLanded, context)) {
      const dropped = returned.flatMap((address) => projections.delegated(address) ?? []);
      const turn = { arrived: [], dropped, entries };
      if (announcement === null) this.#apply(turn);
      else {
        const { transaction, logs } = announcement;
        this.#apply(turn, (also) => ledger.enact(transaction, { logs, also }));
      }
    }
  }

  #concernedBy(changes: readonly AccountChange[]): Set<Address> {
    const { projections } = this.#parts;
    const concerned = new Set<Address>();
    for (const { address, after } of changes) {
      const subject = projections.covering(address);
      // A change of the owner's ATA on base does not affect the delegation. The delegation may already have
      // ended on base in an unpublished transaction, so it is not checked here.
      if (subject !== undefined && isOfDelegation(address, subject)) concerned.add(addressOfSubject(subject));
      if (subject !== undefined) continue;
      if (after?.owner === DELEGATION_PROGRAM && mayBeDelegated(after.data)) concerned.add(address);
    }
    return concerned;
  }

  #review(address: Address, lookup: Lookup, turn: Turn): void {
    const { projections, validator } = this.#parts;
    const known = projections.delegated(address);
    if (known !== undefined) {
      if (this.#goesOn(known, lookup)) return;
      this.#dropLost(known, turn);
    }
    const delegation = readDelegation(address, lookup, validator.address);
    if (delegation !== null && !this.#endsLater(delegation.subject)) turn.arrived.push(delegation);
  }

  /**
   * Whether an unpublished event of base ends a delegation, even if it is delegated again later. The rollup
   * may already have returned it and would otherwise add its tokens a second time.
   */
  #endsLater(subject: Subject): boolean {
    for (const { address, after } of this.#parts.base.unpublished()) {
      if (isOfDelegation(address, subject) && after?.owner !== DELEGATION_PROGRAM) return true;
    }
    return false;
  }

  #goesOn(subject: Subject, lookup: Lookup): boolean {
    const record = this.#parts.ledger.state().get(subject.record);
    return record !== undefined && isStillDelegated(subject, record, lookup);
  }

  /** Drops a delegation that ended without the rollup, because an operator replaced accounts on base. */
  #dropLost(subject: Subject, turn: Turn): void {
    turn.dropped.push(subject);
    this.#parts.logger.error(
      'mint' in subject ? { mint: subject.mint } : {},
      'a delegation ended on base without the rollup; its changes on the rollup are lost',
    );
  }

  /** Applies everything without actions in one commit, then each delegation with actions separately. */
  #apply(
    { arrived, dropped, entries: others = [] }: Turn,
    write = (entries: Entries) => this.#parts.ledger.setOwnAccounts(entries),
  ): void {
    if (arrived.length + dropped.length + others.length === 0) return;
    const { ledger, projections } = this.#parts;
    // An eATA can be undelegated and delegated again in the same event. The last state wins.
    const entries = new Map<Address, Account>(others);
    const books = new BooksView(ledger.state());
    for (const subject of dropped) {
      projections.remove(subject);
      for (const [address, gone] of endEntries(subject)) entries.set(address, gone);
      const address = addressOfSubject(subject);
      if (books.requestOf(address) !== null) entries.set(...deletedItem(REQUEST, { eata: address }));
    }
    const plain = arrived.filter((delegation) => !hasActions(delegation));
    for (const delegation of plain) {
      projections.add(delegation.subject);
      for (const [address, account] of delegation.entries) entries.set(address, account);
    }
    if (entries.size > 0) this.#await(write([...entries]));
    for (const delegation of arrived) {
      if (hasActions(delegation)) this.#await(acceptActions(delegation, this.#parts));
      else this.#ensureCrank(addressOfSubject(delegation.subject));
    }
  }

  #ensureCrank(address: Address): void {
    const { projections } = this.#parts;
    if (projections.account(address) === undefined) return;
    this.#await(ensureCrank(address, this.#parts));
  }

  /** Makes `written` wait for a write. */
  #await(write: Promise<void>): void {
    const done = write.catch((error: unknown) => {
      this.#parts.logger.error({ err: error }, 'the rollup could not follow the base ledger');
    });
    this.#written = Promise.all([this.#written, done]).then(() => undefined);
  }
}

const isOfDelegation = (address: Address, subject: Subject): boolean =>
  address === addressOfSubject(subject) || address === subject.record;

function isOfDelegations({ before, after }: AccountChange): boolean {
  return before?.owner === DELEGATION_PROGRAM || after?.owner === DELEGATION_PROGRAM;
}

const hasActions = ({ record }: Delegation): boolean => record.data.length > DELEGATION_RECORD_BYTES;

/**
 * Accepts a delegation and runs its actions, both in one commit, unless it was abandoned. If the actions
 * fail, the books record that the tokens must be returned to their owner on base. Both outcomes are in the
 * rollup's accounts, so a crash repeats neither. A full transfer queue is not a failure, because the program
 * itself returns the payment.
 *
 * Changes the accounts before it returns its promise, which resolves when the result is durable.
 */
async function acceptActions(
  { subject, record, entries }: Delegation,
  { ledger, projections, runner, validator, logger }: RollupContext,
): Promise<void> {
  const account = addressOfSubject(subject);
  if (new BooksView(ledger.state()).rescueOf(account) !== null) return;
  const instructions = decodeDelegationActions(record.data, (sealed) => validator.openSealed(sealed));
  let failure: TransactionError = 'its actions cannot be read';
  if (instructions !== null) {
    projections.add(subject);
    const { err, written } = runner.start(instructions, { first: entries });
    if (err === null) return await written;
    projections.remove(subject);
    failure = err;
  }
  // The log entry names no account, because the owner of a payment is private.
  logger.error({ reason: failure }, 'the actions of a delegation failed: its tokens are returned');
  const reason = typeof failure === 'string' ? failure : JSON.stringify(failure);
  await ledger.setOwnAccounts([itemEntry(RESCUE, { account, reason, signature: null })]);
}

/**
 * Schedules the task that pays out a transfer queue, if the account at `address` is a queue without one.
 * Resolves when the task is durable.
 */
async function ensureCrank(address: Address, context: RollupContext): Promise<void> {
  const { ledger, runner, validator, logger } = context;
  const account = ledger.state().get(address);
  const queue = account === undefined ? null : decodeTransferQueue(account.data);
  if (queue === null || queue.crankTaskId !== null) return;
  const magicFeeVault = deriveMagicFeeVault(validator.address).address;
  const { err, written } = runner.start([
    encode(QUEUE_TABLE.ensureTransferQueueCrank, { payer: validator.address, queue: address, magicFeeVault }),
  ]);
  if (err !== null)
    logger.error(
      { mint: queue.mint, reason: err },
      'a transfer queue is not paid out: its task was rejected',
    );
  await written;
}
