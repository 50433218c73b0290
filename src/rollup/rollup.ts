import type { QueueTask } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { ForwardedReads } from '../ledger/forwarded-reads.ts';
import type { AccountChange, LedgerListener } from '../ledger/ledger-events.ts';
import type { Ledger, Submission, SubmitOptions } from '../ledger/ledger.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import { BooksView } from './books/books.ts';
import type { Crank } from './crank/crank.ts';
import type { Projection } from './projection/projections.ts';
import type { RollupContext } from './rollup-context.ts';
import type { Settlement, SettlementStatus } from './settlement/settlement.ts';

interface RollupParts extends RollupContext {
  readonly settlement: Settlement;
  readonly crank: Crank;
  /** Resolves when all events of base so far are durable in the rollup. */
  followed(): Promise<void>;
  /** Stops following base. */
  stopFollowing(): void;
}

/** The delegation state of an account. */
interface DelegationStatus {
  /** Whether the account is delegated to this rollup. Stays true until an undelegation is settled. */
  readonly isDelegated: boolean;
  /** Whether an undelegation was requested, which freezes the account. */
  readonly isUndelegating: boolean;
}

type OwnFigures = Pick<
  EmbeddedLedger,
  'head' | 'accountCount' | 'accountsBytes' | 'accountsBytesMax' | 'transactionCount' | 'storeBytes'
>;

/**
 * The ephemeral rollup of this process: a separate ledger on top of a base ledger. Accounts delegated to its
 * validator are written here. All other accounts are read-only and show their current state on base.
 */
export class EmbeddedRollup extends ForwardedReads<EmbeddedLedger> implements Ledger {
  /** Counters of the rollup's own ledger. */
  readonly figures: OwnFigures;
  readonly #parts: RollupParts;
  #closed: Promise<void> | undefined;

  constructor(parts: RollupParts) {
    super(parts.ledger);
    this.figures = parts.ledger;
    this.#parts = parts;
  }

  /** The validator that eATAs are delegated to. It settles on base. */
  override get identity(): Address {
    return this.#parts.validator.address;
  }

  /** Returns the projection whose ATA or eATA is at an address; null for any other address. */
  projectionAt(address: Address): Projection | null {
    const projection = this.#parts.projections.at(address);
    return projection === undefined || address === projection.record ? null : projection;
  }

  /** Whether the account at an address is delegated to this rollup. An ATA counts as its eATA. */
  delegationStatus(address: Address): DelegationStatus {
    const delegated = this.projectionAt(address)?.eata ?? this.#parts.projections.account(address)?.address;
    const books = new BooksView(this.ledger.state());
    return {
      isDelegated: delegated !== undefined,
      isUndelegating: delegated !== undefined && books.isGoingBack(delegated),
    };
  }

  /** Returns the state of a transfer queue's task, after processing the events of base so far. */
  async queueTask(queue: Address): Promise<QueueTask> {
    const task = this.#parts.crank.taskOf(queue);
    if (task !== 'none') return task;
    await this.#parts.followed();
    return this.#parts.crank.taskOf(queue);
  }

  get settlement(): SettlementStatus {
    return this.#parts.settlement.status;
  }

  /** Calls {@link Settlement.assertExactClaims}. */
  assertExactClaims(): void {
    this.#parts.settlement.assertExactClaims();
  }

  /**
   * Ids of the intents whose outcome on base is unknown, because base no longer stores transactions from that
   * time. They are not sent again.
   */
  get heldIntents(): readonly bigint[] {
    return this.#parts.settlement.held;
  }

  /** Resolves when all events of base are processed and nothing more can be settled now. */
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
   * Subscribes to the rollup's own transactions and account changes, and to changes of the base accounts that
   * it shows. No events follow a failed write.
   */
  subscribe(listener: LedgerListener): () => void {
    const endOwn = this.ledger.subscribe((event) => {
      listener({ ...event, changes: event.changes.map(this.#uncover) });
    });
    const endBase = this.#parts.base.subscribe(({ changes }) => {
      if (this.ledger.hasFailed) return;
      const shown = changes.filter(({ address }) => this.#parts.projections.covering(address) === undefined);
      if (shown.length > 0) listener({ kind: 'accounts', slot: this.head().slot, changes: shown });
    });
    return () => {
      endOwn();
      endBase();
    };
  }

  /**
   * Always throws, because lamports and tokens come from base.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER.
   */
  async airdrop(): Promise<string> {
    throw faucetDisabled();
  }

  /** Always throws, like {@link airdrop}. @throws {ServiceError} UNSUPPORTED_ON_CLUSTER. */
  async airdropTokens(): Promise<string> {
    throw faucetDisabled();
  }

  /** Finishes the settlement step in progress and closes the folder. The base ledger stays open. */
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

  /** If a change deletes a rollup account, replaces it with the account on base, which is then visible. */
  readonly #uncover = (change: AccountChange): AccountChange => {
    if (change.after !== null) return change;
    return { ...change, after: this.#parts.base.state().get(change.address) ?? null };
  };
}

/** Creates the error with the text of MagicBlock's validator. */
function faucetDisabled(): ServiceError {
  return new ServiceError('UNSUPPORTED_ON_CLUSTER', 'free airdrop faucet is disabled');
}
