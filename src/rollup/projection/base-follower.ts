import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import type { ToldAccounts } from '../../ledger/state/told-accounts.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Timer } from '../../ports/timer.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { BooksView } from '../books/books.ts';
import { goneRequestEntry } from '../books/entries.ts';
import type { OwnRunner } from '../execution/run-own.ts';
import { endings } from '../settlement/endings.ts';
import { outcomeOf } from '../settlement/sent-outcome.ts';
import { Arrivals } from './arrivals.ts';
import type { Lookup } from './delegated-eata.ts';
import {
  addressOfSubject,
  endEntries,
  enter,
  isStillDelegated,
  leave,
  mayBeDelegated,
  readDelegation,
  type Delegation,
  type Subject,
} from './delegation.ts';
import type { Projections } from './projections.ts';
import { ensureCrank } from './queue-cranks.ts';

type BaseEvent = Parameters<LedgerListener>[0];
type Entries = readonly (readonly [Address, Account])[];

/** What a {@link BaseFollower} needs. */
interface BaseFollowerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts' | 'enact'>;
  readonly projections: Projections;
  readonly runner: Pick<OwnRunner, 'start'>;
  readonly validator: Keypair;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** The account changes that follow from an event on base; they are applied at once. */
interface Turn {
  readonly arrived: Delegation[];
  readonly dropped: Subject[];
  /** Other accounts that change with them. */
  readonly entries?: Entries;
}

/** Whether a delegation is over by now, though the accounts that are read say that it goes on. */
type HasEnded = (subject: Subject) => boolean;

/**
 * Takes in what base delegates to the rollup, and ends it when it is undelegated. It follows the durable
 * events of base one by one, so that it never acts on a state that base has left or not reached.
 *
 * Base is ahead of what it has told in two ways: its accounts show what is not durable yet, and its history
 * what is durable but not told. Delegations begin and are lost by what is told alone. A settlement ends one
 * by history, which may be before the event of it: until that is told, nothing else may bring it back.
 */
export class BaseFollower {
  readonly #parts: BaseFollowerParts;
  readonly #arrivals: Arrivals;
  #written: Promise<void> = Promise.resolve();

  constructor(parts: BaseFollowerParts) {
    this.#parts = parts;
    const { base, validator } = parts;
    const read = (address: Address): Delegation | null => {
      const accounts = base.toldState();
      const delegation = readDelegation(address, (each) => accounts.get(each), validator.address);
      return delegation === null || this.#endsLater(delegation.subject) ? null : delegation;
    };
    this.#arrivals = new Arrivals({ ...parts, read });
  }

  /** Resolves once every event followed so far is durable here, or cannot become so. */
  get written(): Promise<void> {
    return this.#written;
  }

  /**
   * Updates the stored projections to the current state of base, whatever happened there while the rollup was
   * stopped. To be called before base is listened to: what waits to be told then is told to others alone.
   */
  catchUp(): void {
    this.#catchUp(this.#parts.base.state(), () => false);
  }

  /**
   * As {@link catchUp}, to what base has told by now, however much of it waits to become durable: that may be
   * gone after a crash, when the rollup must not have acted upon it. Its own events bring it.
   */
  catchUpWithTold(): void {
    this.#catchUp(this.#parts.base.toldState(), (subject) => this.#endsLater(subject));
  }

  /** Takes in all that base says has been settled; resolves as {@link written}. */
  async takeInSettled(): Promise<void> {
    this.#endAllSettled();
    await this.#written;
  }

  /** Follows an event that became durable on base. */
  follow(event: BaseEvent): void {
    if (event.kind === 'transaction' && event.record.err === null) {
      this.#endSettled((signature) => signature === event.record.signature);
    }
    const turn: Turn = { arrived: [], dropped: [] };
    const concerned = this.#concernedBy(event.changes);
    if (concerned.size > 0) {
      // Not as base is now: it may have left the delegation in a transaction that is not durable.
      const accounts = this.#parts.base.toldState();
      for (const address of concerned) this.#review(address, (each) => accounts.get(each), turn);
    }
    this.#take(turn);
    // An operator can change a part of a delegation, and a record does not say whose it is.
    if (event.kind === 'accounts' && event.changes.some(isOfDelegations)) this.catchUpWithTold();
  }

  /** Ends every projection and drops every request: base is another ledger now. */
  dropAll(): void {
    this.#arrivals.close();
    this.#take({ arrived: [], dropped: this.#subjects() });
  }

  /** Lets go of its timers. */
  close(): void {
    this.#arrivals.close();
  }

  #catchUp(accounts: ToldAccounts, hasEnded: HasEnded): void {
    const { projections, validator } = this.#parts;
    const lookup: Lookup = (address) => accounts.get(address);
    this.#endAllSettled();
    const turn: Turn = { arrived: [], dropped: [] };
    for (const subject of this.#subjects()) {
      if (!this.#goesOn(subject, lookup)) this.#dropLost(subject, turn);
    }
    const dropped = new Set(turn.dropped);
    for (const [address, { data }] of accounts.ownedBy(DELEGATION_PROGRAM)) {
      if (!mayBeDelegated(data)) continue;
      const known = projections.ofEata(address) ?? projections.account(address);
      if (known !== undefined && !dropped.has(known)) continue;
      const delegation = readDelegation(address, lookup, validator.address);
      if (delegation !== null && !hasEnded(delegation.subject)) turn.arrived.push(delegation);
    }
    this.#take(turn);
    for (const { address } of projections.accounts()) this.#ensureCrank(address);
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
   * Takes in what has been settled on base, each in one commit with all that follows from it. Crash case:
   * base has landed an undelegation, the rollup dies before this commit; the restart finds the request still
   * open and does both, once.
   */
  #endSettled(hasLanded: Parameters<typeof endings>[1]): void {
    const { ledger, projections, validator } = this.#parts;
    const books = new BooksView(ledger.state());
    const context = { rollup: ledger.state(), projections, validator };
    for (const { given, entries, announcement } of endings(books, hasLanded, context)) {
      const dropped = given.flatMap(
        (address) => projections.ofEata(address) ?? projections.account(address) ?? [],
      );
      const turn = { arrived: [], dropped, entries };
      if (announcement === null) this.#take(turn);
      else {
        const { transaction, logs } = announcement;
        this.#take(turn, (also) => ledger.enact(transaction, { logs, also }));
      }
    }
  }

  #subjects(): Subject[] {
    const { projections } = this.#parts;
    return [...projections.all(), ...projections.accounts()];
  }

  /** The addresses of what may be delegated otherwise than before. */
  #concernedBy(changes: readonly AccountChange[]): Set<Address> {
    const { projections } = this.#parts;
    const concerned = new Set<Address>();
    for (const { address, after } of changes) {
      const subject = projections.at(address) ?? projections.accountAt(address);
      // What happens to the owner's ATA on base says nothing of the delegation, which may have ended there by
      // now in a transaction that is yet to be told of, and is not durable yet.
      if (subject !== undefined && isOfDelegation(address, subject)) concerned.add(addressOfSubject(subject));
      if (subject !== undefined) continue;
      if (after?.owner === DELEGATION_PROGRAM && mayBeDelegated(after.data)) concerned.add(address);
    }
    return concerned;
  }

  #review(address: Address, lookup: Lookup, turn: Turn): void {
    const { projections, validator } = this.#parts;
    const known = projections.ofEata(address) ?? projections.account(address);
    if (known !== undefined) {
      if (this.#goesOn(known, lookup)) return;
      this.#dropLost(known, turn);
    }
    const delegation = readDelegation(address, lookup, validator.address);
    if (delegation !== null && !this.#endsLater(delegation.subject)) turn.arrived.push(delegation);
  }

  /**
   * Whether something that base is yet to tell ends a delegation, even if it begins anew after that: the
   * rollup may have given it back already, and would take in what it carries once more.
   */
  #endsLater(subject: Subject): boolean {
    for (const { address, after } of this.#parts.base.untold()) {
      if (isOfDelegation(address, subject) && after?.owner !== DELEGATION_PROGRAM) return true;
    }
    return false;
  }

  #goesOn(subject: Subject, lookup: Lookup): boolean {
    const record = this.#parts.ledger.state().get(subject.record);
    return record !== undefined && isStillDelegated(subject, record, lookup);
  }

  /** Nobody but the rollup gives anything back; an operator can have put other accounts in place. */
  #dropLost(subject: Subject, turn: Turn): void {
    turn.dropped.push(subject);
    this.#parts.logger.error(
      'mint' in subject ? { mint: subject.mint } : {},
      'a delegation ended on base without the rollup; what was done with it on the rollup is lost',
    );
  }

  /**
   * Applies changes to the accounts of the rollup: all that needs nothing run in one commit, then what brings
   * actions with it, which may be about the former, each in a commit of its own.
   */
  #take(
    { arrived, dropped, entries: others = [] }: Turn,
    write = (entries: Entries) => this.#parts.ledger.setOwnAccounts(entries),
  ): void {
    if (arrived.length + dropped.length + others.length === 0) return;
    const { ledger, projections } = this.#parts;
    // An eATA can be undelegated and delegated again in one turn; the last state counts.
    const entries = new Map<Address, Account>(others);
    const books = new BooksView(ledger.state());
    for (const subject of dropped) {
      leave(projections, subject);
      for (const [address, gone] of endEntries(subject)) entries.set(address, gone);
      const address = addressOfSubject(subject);
      if (books.requestOf(address) !== null) entries.set(...goneRequestEntry(address));
    }
    const plain = arrived.filter((delegation) => !Arrivals.hasActions(delegation));
    for (const delegation of plain) {
      enter(projections, delegation.subject);
      for (const [address, account] of delegation.entries) entries.set(address, account);
    }
    if (entries.size > 0) this.#await(write([...entries]));
    for (const delegation of arrived) {
      if (Arrivals.hasActions(delegation)) this.#await(this.#arrivals.take(delegation));
      else this.#ensureCrank(addressOfSubject(delegation.subject));
    }
  }

  #ensureCrank(address: Address): void {
    const { projections, validator } = this.#parts;
    if (projections.account(address) === undefined) return;
    this.#await(ensureCrank(address, { ...this.#parts, validator: validator.address }));
  }

  /** Has `written` wait for it as well. */
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
