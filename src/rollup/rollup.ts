import { ServiceError } from '../errors/service-error.ts';
import type { Block, BlockPlace } from '../ledger/block.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { Simulation, TransactionRecord } from '../ledger/execution.ts';
import type { AccountChange, LedgerListener } from '../ledger/ledger-events.ts';
import type {
  Head,
  Ledger,
  SignatureQuery,
  Submission,
  TokenAccountQuery,
  TransactionStatus,
} from '../ledger/ledger.ts';
import type { StoreSize } from '../ledger/store/store.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { BaseLedger } from './base-ledger.ts';
import type { Projection } from './projection/projection.ts';
import type { Projections } from './projection/projections.ts';
import { readRollupBooks } from './settlement/rollup-books.ts';
import type { Settler } from './settlement/settler.ts';

/** What an {@link EmbeddedRollup} is put together from; `openRollup` does it. */
interface RollupParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger, which shows base where it has nothing itself. */
  readonly ledger: EmbeddedLedger;
  readonly validator: Address;
  readonly projections: Projections;
  readonly settler: Settler;
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

/** How settlement stands. */
interface SettlementStatus {
  /** Undelegations that were accepted and are not on base yet. */
  readonly pending: number;
  /** Those of them that base did not take; they are tried again by themselves. */
  readonly stalled: number;
  /** Mints whose undelegations are refused until their accounts on base are in order. */
  readonly halted: readonly { readonly mint: Address; readonly reason: string }[];
}

/**
 * The ephemeral rollup in this process: a ledger of its own on top of a base ledger. What is delegated to its
 * validator is written here; everything else is what it is on base at that moment, and only read.
 */
export class EmbeddedRollup implements Ledger {
  /** The validator: what eATAs are delegated to, and what settles on base. */
  readonly identity: Address;
  readonly #parts: RollupParts;
  readonly #ledger: EmbeddedLedger;
  #closed: Promise<void> | undefined;

  constructor(parts: RollupParts) {
    this.identity = parts.validator;
    this.#parts = parts;
    this.#ledger = parts.ledger;
  }

  get genesisHash(): string {
    return this.#ledger.genesisHash;
  }

  get slotMs(): number {
    return this.#ledger.slotMs;
  }

  get epochSlots(): number {
    return this.#ledger.epochSlots;
  }

  get isRunning(): boolean {
    return this.#ledger.isRunning;
  }

  /** The projection an address belongs to, when it is the ATA or the eATA of one; null for anything else. */
  projectionAt(address: Address): Projection | null {
    const projection = this.#parts.projections.at(address);
    return projection === undefined || address === projection.record ? null : projection;
  }

  /** Whether the ATA or eATA at an address is delegated to this rollup. */
  delegationStatus(address: Address): DelegationStatus {
    const projection = this.projectionAt(address);
    const { requests } = readRollupBooks(this.#ledger.state());
    return {
      isDelegated: projection !== null,
      isUndelegating: projection !== null && requests.some(({ eata }) => eata === projection.eata),
    };
  }

  get settlement(): SettlementStatus {
    return {
      pending: readRollupBooks(this.#ledger.state()).requests.length,
      stalled: this.#parts.settler.stalledCount,
      halted: [...this.#parts.settler.halted].map(([mint, reason]) => ({ mint, reason })),
    };
  }

  /** Resolves when base has been taken in and nothing is left to settle but what cannot be settled now. */
  async settled(): Promise<void> {
    await this.#parts.followed();
    await this.#parts.settler.idle();
    await this.#parts.followed();
  }

  head(): Head {
    return this.#ledger.head();
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#ledger.isBlockhashValid(blockhash);
  }

  getAccount(address: Address): Account | null {
    return this.#ledger.getAccount(address);
  }

  accountCount(): number {
    return this.#ledger.accountCount();
  }

  /** Bytes of data of the accounts that are the rollup's own. */
  accountsBytes(): number {
    return this.#ledger.accountsBytes();
  }

  /** Bytes of data they may have together. */
  get accountsBytesMax(): number {
    return this.#ledger.accountsBytesMax;
  }

  totalLamports(): bigint {
    return this.#ledger.totalLamports();
  }

  accounts(): Iterable<readonly [Address, Account]> {
    return this.#ledger.accounts();
  }

  programAccounts(program: Address): Iterable<readonly [Address, Account]> {
    return this.#ledger.programAccounts(program);
  }

  tokenAccounts(query: TokenAccountQuery): Iterable<readonly [Address, Account]> {
    return this.#ledger.tokenAccounts(query);
  }

  simulate(
    transaction: Transaction,
    options: { readonly verifySignatures: boolean; readonly replaceBlockhash: boolean },
  ): Simulation {
    return this.#ledger.simulate(transaction, options);
  }

  async submit(transaction: Transaction): Promise<Submission> {
    const submission = await this.#ledger.submit(transaction);
    if (submission.err === null) this.#parts.settler.wake();
    return submission;
  }

  getTransaction(signature: string): TransactionRecord | null {
    return this.#ledger.getTransaction(signature);
  }

  signatureStatus(signature: string): TransactionStatus | null {
    return this.#ledger.signatureStatus(signature);
  }

  signaturesFor(query: SignatureQuery): readonly TransactionRecord[] {
    return this.#ledger.signaturesFor(query);
  }

  historyOf(query: SignatureQuery): Iterable<TransactionRecord> {
    return this.#ledger.historyOf(query);
  }

  firstSlot(): number {
    return this.#ledger.firstSlot();
  }

  finishedSlot(): number {
    return this.#ledger.finishedSlot();
  }

  finishedHead(): BlockPlace {
    return this.#ledger.finishedHead();
  }

  block(slot: number): Block | null {
    return this.#ledger.block(slot);
  }

  slotsWithBlocks(from: number, to: number, limit: number): readonly number[] {
    return this.#ledger.slotsWithBlocks(from, to, limit);
  }

  countBlocks(from: number, to: number): number {
    return this.#ledger.countBlocks(from, to);
  }

  /** What it takes up on the disk. */
  storeSize(): StoreSize {
    return this.#ledger.storeSize();
  }

  transactionCount(): number {
    return this.#ledger.transactionCount();
  }

  /**
   * Tells of the rollup's own transactions and accounts, and of the accounts of base that are read through
   * it; of nothing once the rollup could not be written.
   */
  subscribe(listener: LedgerListener): () => void {
    const endOwn = this.#ledger.subscribe((event) => {
      listener({ ...event, changes: event.changes.map(this.#uncover) });
    });
    const endBase = this.#parts.base.subscribe(({ changes }) => {
      if (this.#ledger.hasFailed) return;
      const shown = changes.filter(({ address }) => this.#parts.projections.at(address) === undefined);
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
    await this.#parts.settler.close();
    this.#parts.stopFollowing();
    await this.#parts.followed();
    await this.#ledger.close();
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
