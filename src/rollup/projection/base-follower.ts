import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { Logger } from '../../ports/logger.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { BooksView } from '../books/books.ts';
import { goneRequestEntry } from '../books/entries.ts';
import { endings } from '../settlement/endings.ts';
import { isStillDelegated, readDelegatedEata, type DelegatedEata, type Lookup } from './delegated-eata.ts';
import { projectAta, projectEata, type Projection } from './projection.ts';
import type { Projections } from './projections.ts';

type BaseEvent = Parameters<LedgerListener>[0];
type Entries = readonly (readonly [Address, Account])[];

/** What a {@link BaseFollower} needs. */
interface BaseFollowerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts' | 'enact'>;
  readonly projections: Projections;
  readonly validator: Keypair;
  readonly logger: Logger;
}

/** The account changes that follow from an event on base; they are applied at once. */
interface Turn {
  readonly projected: DelegatedEata[];
  readonly dropped: Projection[];
  /** Other accounts that change with them. */
  readonly entries?: Entries;
}

/**
 * Creates a projection for every eATA that base delegates to the rollup, and ends it when the eATA is
 * undelegated. It follows the durable events of base one by one, so that it never acts on a state that base
 * has left or not reached.
 */
export class BaseFollower {
  readonly #parts: BaseFollowerParts;
  #written: Promise<void> = Promise.resolve();

  constructor(parts: BaseFollowerParts) {
    this.#parts = parts;
  }

  /** Resolves once every event followed so far is durable here, or cannot become so. */
  get written(): Promise<void> {
    return this.#written;
  }

  /**
   * Updates the stored projections to the current state of base, whatever happened there while the rollup was
   * stopped.
   */
  catchUp(): void {
    const { base, projections, validator } = this.#parts;
    const accounts = base.state();
    const lookup: Lookup = (address) => accounts.get(address);
    this.#endSettled((signature) => base.getTransaction(signature)?.err === null);
    const turn: Turn = { projected: [], dropped: [] };
    for (const projection of projections.all()) {
      if (!this.#goesOn(projection, lookup)) this.#dropLost(projection, turn);
    }
    const dropped = new Set(turn.dropped);
    for (const [address, { data }] of accounts.ownedBy(DELEGATION_PROGRAM)) {
      const known = projections.ofEata(address);
      if (!mayBeEata(data) || (known !== undefined && !dropped.has(known))) continue;
      const delegated = readDelegatedEata(address, lookup, validator.address);
      if (delegated !== null) turn.projected.push(delegated);
    }
    this.#take(turn);
  }

  /** Follows an event that became durable on base. */
  follow(event: BaseEvent): void {
    if (event.kind === 'transaction' && event.record.err === null) {
      this.#endSettled((signature) => signature === event.record.signature);
    }
    const turn: Turn = { projected: [], dropped: [] };
    const changed = new Map<Address, Account | null>();
    for (const { address, after } of event.changes) changed.set(address, after);
    const accounts = this.#parts.base.state();
    // Accounts the event does not name have not changed with it; those it names may have changed again since.
    const lookup: Lookup = (address) => {
      const after = changed.get(address);
      return after === undefined ? accounts.get(address) : (after ?? undefined);
    };
    for (const eata of this.#concernedBy(changed)) this.#review(eata, lookup, turn);
    this.#take(turn);
    // An operator can change a part of a delegation, and a record does not say whose it is.
    if (event.kind === 'accounts' && event.changes.some(isOfDelegations)) this.catchUp();
  }

  /** Ends every projection and drops every request: base is another ledger now. */
  dropAll(): void {
    this.#take({ projected: [], dropped: [...this.#parts.projections.all()] });
  }

  /**
   * Takes in what has been settled on base, each in one commit with all that follows from it. Crash case:
   * base has landed an undelegation, the rollup dies before this commit; the restart finds the request still
   * open and does both, once.
   */
  #endSettled(hasLanded: (signature: string) => boolean): void {
    const { ledger, projections, validator } = this.#parts;
    const books = new BooksView(ledger.state());
    const context = { rollup: ledger.state(), projections, validator };
    for (const { given, entries, announcement } of endings(books, hasLanded, context)) {
      const dropped = given.flatMap((eata) => projections.ofEata(eata) ?? []);
      const turn = { projected: [], dropped, entries };
      if (announcement === null) this.#take(turn);
      else {
        const { transaction, logs } = announcement;
        this.#take(turn, (also) => ledger.enact(transaction, { logs, also }));
      }
    }
  }

  /** The eATAs whose delegation may have changed. */
  #concernedBy(changed: ReadonlyMap<Address, Account | null>): Set<Address> {
    const eatas = new Set<Address>();
    for (const [address, after] of changed) {
      const projection = this.#parts.projections.at(address);
      if (projection !== undefined) eatas.add(projection.eata);
      else if (after?.owner === DELEGATION_PROGRAM && mayBeEata(after.data)) eatas.add(address);
    }
    return eatas;
  }

  #review(eata: Address, lookup: Lookup, turn: Turn): void {
    const { projections, validator } = this.#parts;
    const known = projections.ofEata(eata);
    if (known !== undefined) {
      if (this.#goesOn(known, lookup)) return;
      this.#dropLost(known, turn);
    }
    const delegated = readDelegatedEata(eata, lookup, validator.address);
    if (delegated !== null) turn.projected.push(delegated);
  }

  #goesOn(projection: Projection, lookup: Lookup): boolean {
    const record = this.#parts.ledger.state().get(projection.record);
    return record !== undefined && isStillDelegated(projection, record, lookup);
  }

  /** Nobody but the rollup gives an eATA back; an operator can have put other accounts in place. */
  #dropLost(projection: Projection, turn: Turn): void {
    turn.dropped.push(projection);
    this.#parts.logger.error(
      { mint: projection.mint },
      'a delegation ended on base without the rollup; what was done with it on the rollup is lost',
    );
  }

  /** Applies changes to the accounts of the rollup, in one commit. */
  #take(
    { projected, dropped, entries: others = [] }: Turn,
    write = (entries: Entries) => this.#parts.ledger.setOwnAccounts(entries),
  ): void {
    if (projected.length + dropped.length + others.length === 0) return;
    const { ledger, projections, logger } = this.#parts;
    // An eATA can be undelegated and delegated again in one turn; the last state counts.
    const entries = new Map<Address, Account>(others);
    const books = new BooksView(ledger.state());
    for (const projection of dropped) {
      projections.remove(projection);
      const { ata, eata, record } = projection;
      for (const address of [ata, eata, record]) entries.set(address, GONE);
      if (books.requestOf(eata) !== null) entries.set(...goneRequestEntry(eata));
    }
    for (const { projection, eata, account, record } of projected) {
      projections.add(projection);
      entries.set(projection.ata, projectAta(projection, eata.amount));
      entries.set(projection.eata, projectEata(account, eata.amount));
      entries.set(projection.record, record);
    }
    this.#written = write([...entries]).catch((error: unknown) => {
      logger.error({ err: error }, 'the rollup could not follow the base ledger');
    });
  }
}

/** Both layouts of an eATA; nothing else of the delegation program is looked at more closely. */
function mayBeEata({ length }: Uint8Array): boolean {
  return length === 72 || length === 80;
}

function isOfDelegations({ before, after }: AccountChange): boolean {
  return before?.owner === DELEGATION_PROGRAM || after?.owner === DELEGATION_PROGRAM;
}
