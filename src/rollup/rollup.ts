import type { QueueTask } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { ForwardedReads } from '../ledger/forwarded-reads.ts';
import type { AccountChange, LedgerListener } from '../ledger/ledger-events.ts';
import type { Ledger, Submission, SubmitOptions } from '../ledger/ledger.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { BaseLedger } from './base-ledger.ts';
import { BooksView } from './books/books.ts';
import type { Crank } from './crank/crank.ts';
import type { Projection } from './projection/projection.ts';
import type { Projections } from './projection/projections.ts';
import type { Settlement, SettlementStatus } from './settlement/settlement.ts';

/** What an {@link EmbeddedRollup} is put together from; `openRollup` does it. */
interface RollupParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger, which shows base where it has nothing itself. */
  readonly ledger: EmbeddedLedger;
  readonly validator: Address;
  readonly projections: Projections;
  readonly settlement: Settlement;
  readonly crank: Crank;
  /** Resolves when everything that happened on base has been taken in durably. */
  followed(): Promise<void>;
  /** Stops following base. */
  stopFollowing(): void;
}

/** Where an account stands between base and the rollup. */
interface DelegationStatus {
  /** Whether it is delegated to this rollup; so it also is while it is on its way back. */
  readonly isDelegated: boolean;
  /** Whether its owner asked for it back, and it can be written no more. */
  readonly isUndelegating: boolean;
}

/** What is counted of the rollup's own ledger. */
type OwnFigures = Pick<
  EmbeddedLedger,
  'head' | 'accountCount' | 'accountsBytes' | 'accountsBytesMax' | 'transactionCount' | 'storeBytes'
>;

/**
 * The ephemeral rollup in this process: a ledger of its own on top of a base ledger. What is delegated to its
 * validator is written here; everything else is what it is on base at that moment, and only read.
 */
export class EmbeddedRollup extends ForwardedReads<EmbeddedLedger> implements Ledger {
  /** What the rollup's own ledger holds and takes up. */
  readonly figures: OwnFigures;
  readonly #parts: RollupParts;
  #closed: Promise<void> | undefined;

  constructor(parts: RollupParts) {
    super(parts.ledger);
    this.figures = parts.ledger;
    this.#parts = parts;
  }

  /** The validator: what eATAs are delegated to, and what settles on base. */
  override get identity(): Address {
    return this.#parts.validator;
  }

  /** The projection an address belongs to, when it is the ATA or the eATA of one; null for anything else. */
  projectionAt(address: Address): Projection | null {
    const projection = this.#parts.projections.at(address);
    return projection === undefined || address === projection.record ? null : projection;
  }

  /** Whether the account at an address is delegated to this rollup: of an eATA, its ATA counts as well. */
  delegationStatus(address: Address): DelegationStatus {
    const delegated = this.projectionAt(address)?.eata ?? this.#parts.projections.account(address)?.address;
    const books = new BooksView(this.ledger.state());
    return {
      isDelegated: delegated !== undefined,
      isUndelegating: delegated !== undefined && books.isGoingBack(delegated),
    };
  }

  /** How the task of a transfer queue stands, once what happened on base has been taken in. */
  async queueTask(queue: Address): Promise<QueueTask> {
    const task = this.#parts.crank.taskOf(queue);
    if (task !== 'none') return task;
    await this.#parts.followed();
    return this.#parts.crank.taskOf(queue);
  }

  get settlement(): SettlementStatus {
    return this.#parts.settlement.status;
  }

  /** As {@link Settlement.assertExactClaims}. */
  assertExactClaims(): void {
    this.#parts.settlement.assertExactClaims();
  }

  /**
   * The intents of which nobody can say whether base has carried them out: it has forgotten what landed when
   * they were sent. They are not sent again.
   */
  get heldIntents(): readonly bigint[] {
    return this.#parts.settlement.held;
  }

  /** Resolves when base has been taken in and nothing is left to settle but what cannot be settled now. */
  async settled(): Promise<void> {
    const { settlement, crank } = this.#parts;
    do {
      await this.#parts.followed();
      await crank.idle();
      await settlement.idle();
      await this.#parts.followed();
    } while (settlement.isBusy || crank.isBusy);
  }

  submit(transaction: Transaction, options?: SubmitOptions): Promise<Submission> {
    return this.ledger.submit(transaction, options);
  }

  /**
   * Tells of the rollup's own transactions and accounts, and of the accounts of base that are read through
   * it; of nothing once the rollup could not be written.
   */
  subscribe(listener: LedgerListener): () => void {
    const endOwn = this.ledger.subscribe((event) => {
      listener({ ...event, changes: event.changes.map(this.#uncover) });
    });
    const endBase = this.#parts.base.subscribe(({ changes }) => {
      if (this.ledger.hasFailed) return;
      const shown = changes.filter(({ address }) => !this.#parts.projections.covers(address));
      if (shown.length > 0) listener({ kind: 'accounts', slot: this.head().slot, changes: shown });
    });
    return () => {
      endOwn();
      endBase();
    };
  }

  /**
   * Nobody gives anything away here: lamports and tokens come from base. @throws {ServiceError}
   * UNSUPPORTED_ON_CLUSTER.
   */
  async airdrop(): Promise<string> {
    throw faucetDisabled();
  }

  /** As {@link airdrop}. @throws {ServiceError} UNSUPPORTED_ON_CLUSTER. */
  async airdropTokens(): Promise<string> {
    throw faucetDisabled();
  }

  /** Finishes the step of a settlement under way and lets go of the folder; the base ledger stays open. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#parts.crank.close();
    await this.#parts.settlement.close();
    this.#parts.stopFollowing();
    await this.#parts.followed();
    await this.ledger.close();
  }

  /** Where an account of the rollup's own went away, base's shows. */
  readonly #uncover = (change: AccountChange): AccountChange => {
    if (change.after !== null) return change;
    return { ...change, after: this.#parts.base.state().get(change.address) ?? null };
  };
}

/** In the words of MagicBlock's validator. */
function faucetDisabled(): ServiceError {
  return new ServiceError('UNSUPPORTED_ON_CLUSTER', 'free airdrop faucet is disabled');
}
