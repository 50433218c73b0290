import { isServiceError } from '../../errors/service-error.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { BooksView } from '../books/books.ts';
import { requestEntry } from '../books/entries.ts';
import type { SettlementRequest } from '../books/settlement-request.ts';
import type { Projection } from '../projection/projection.ts';
import type { Projections } from '../projection/projections.ts';
import { admitValidator } from '../validator-accounts.ts';
import { BackOff } from './back-off.ts';
import { planBatch, sumOf, type Batch, type Step } from './batch.ts';
import { signStep } from './settlement-transaction.ts';
import { Doubt, readBooks, vaultAtaOf, type Books, type Ledgers, type MintKeys } from './solvency.ts';

/** What a {@link Settler} needs. */
interface SettlerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly projections: Projections;
  readonly validator: Keypair;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
  /** Mints that are halted, with the reason; the settler keeps it up to date. */
  readonly halted: Map<Address, string>;
}

/** Transactions submitted to base at once: they share one flush, and the event loop stays responsive. */
const STEPS_AT_ONCE = 16;

/** Random bytes that make a transaction unique. */
const MARK_BYTES = 16;

/** Batches planned in a row when base rejects a transaction; what is left then has to wait. */
const ATTEMPTS_MAX = 10;

type BaseEvent = Parameters<LedgerListener>[0];

/** A halted mint, and the vault account whose change may resume it. */
interface HaltedMint extends MintKeys {
  readonly vaultAta: Address;
}

/** A step with its signed transaction. */
interface SignedStep extends Step {
  readonly transaction: Transaction;
  /** base58. */
  readonly signature: string;
}

/**
 * Settles undelegations on base. It works through the requests in its books, one mint at a time, and is idle
 * when there are none. Everything it needs after a crash is durable before anything is submitted:
 *
 * - a request is in the commit of the transaction that made it;
 * - the signature of an undelegation is in its request before it is submitted, and base's own history says
 *   whether it landed;
 * - a commit without an undelegation needs no record: it is planned from the state of base, and its nonce is
 *   valid only once.
 *
 * Whoever follows base sees from the transaction's own event that a request is done.
 */
export class Settler {
  readonly #parts: SettlerParts;
  /** eATAs whose undelegation base did not accept. */
  readonly #stalled: BackOff;
  /** eATAs that could not be settled to make room in the vault. */
  readonly #unfit: BackOff;
  /** Halted mints. */
  readonly #doubted: BackOff;
  /** Who is refunded the rent of a stalled eATA; a lack of lamports there may be what stalls it. */
  readonly #rentPayers = new Map<Address, Address>();
  readonly #haltedMints = new Map<Address, HaltedMint>();
  #hasReturned = false;
  #isBusy = false;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
    const { timer, projections } = parts;
    this.#stalled = new BackOff(timer, (eata) => {
      if (projections.ofEata(eata) === undefined) this.#forget(eata);
      this.wake();
    });
    this.#unfit = new BackOff(timer, (eata) => {
      if (projections.ofEata(eata) === undefined) this.#unfit.forget(eata);
      this.#stalled.releaseAll();
      this.wake();
    });
    this.#doubted = new BackOff(timer, (mint) => this.#reopen(mint));
  }

  /** Mints whose undelegations are refused, with the reason. */
  get halted(): ReadonlyMap<Address, string> {
    return this.#parts.halted;
  }

  /** Requests that failed and will be retried. */
  get stalledCount(): number {
    return this.#requests().filter(({ eata }) => this.#stalled.isHeld(eata)).length;
  }

  /** Starts working through the requests, in the background. */
  wake(): void {
    if (this.#isBusy || this.#isClosing) return;
    this.#isBusy = true;
    this.#work = this.#workOff();
  }

  /** Retries at once what failed if this event on base may have been what it waited for. */
  reconsider(event: BaseEvent): void {
    if (this.#haltedMints.size + this.#stalled.size + this.#unfit.size === 0) return;
    const isEdit = event.kind === 'accounts';
    if (isEdit) this.#releaseAll();
    else this.#releaseRicher(event.changes);
    for (const [mint, { vaultAta }] of this.#haltedMints) {
      if (isEdit || event.changes.some(({ address }) => address === vaultAta)) this.#reopen(mint);
    }
    this.wake();
  }

  /** Resolves when no request is left to do. */
  async idle(): Promise<void> {
    while (this.#isBusy) await this.#work;
  }

  /** Finishes the step under way, then stops. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const backOff of [this.#stalled, this.#unfit, this.#doubted]) backOff.close();
    await this.idle();
  }

  #ledgers(): Ledgers {
    const { base, ledger, projections } = this.#parts;
    return { base: base.state(), rollup: ledger.state(), projections };
  }

  #requests(): readonly SettlementRequest[] {
    return new BooksView(this.#parts.ledger.state()).requests();
  }

  #booksOf(mint: MintKeys): Books {
    return readBooks(mint, this.#ledgers());
  }

  /** The next request. Failed ones are retried once others have been settled since. */
  #nextRequest(): Projection | undefined {
    const next = this.#findRequest();
    if (next !== undefined || !this.#hasReturned) return next;
    this.#hasReturned = false;
    this.#releaseAll();
    return this.#findRequest();
  }

  #findRequest(): Projection | undefined {
    for (const { eata } of this.#requests()) {
      const projection = this.#parts.projections.ofEata(eata);
      if (projection === undefined || this.#stalled.isHeld(eata)) continue;
      if (!this.#parts.halted.has(projection.mint)) return projection;
    }
    return undefined;
  }

  async #workOff(): Promise<void> {
    try {
      for (let next = this.#nextRequest(); next !== undefined; next = this.#nextRequest()) {
        await this.#settleOrHalt(next);
        if (this.#isClosing) break;
      }
    } catch (error) {
      // The ledger has logged why it stopped.
      if (isServiceError(error, 'LEDGER_STOPPED')) return;
      this.#parts.logger.error({ err: error }, 'settlement stopped until something happens on either ledger');
    } finally {
      // In the same turn as the last look for requests: a wake from now on starts new work.
      this.#isBusy = false;
    }
  }

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async #settleOrHalt(mint: MintKeys): Promise<void> {
    try {
      await this.#settleMint(mint);
    } catch (error) {
      if (isServiceError(error, 'LEDGER_STOPPED')) throw error;
      this.#halt(mint, error);
    }
  }

  async #settleMint(mint: MintKeys): Promise<void> {
    const { base, validator } = this.#parts;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#isClosing; attempt++) {
      await admitValidator(base, validator.address);
      const eatas = this.#wantedOf(mint);
      if (eatas.length === 0) return;
      const mayCover = (eata: Address): boolean => !this.#unfit.isHeld(eata);
      const batch = planBatch(mint, { eatas, mayCover }, this.#ledgers());
      for (const [eata, reason] of batch.waiting) this.#stall(mint, eata, reason);
      await this.#carryOut(mint, batch);
      if (this.#booksOf(mint).surplus < batch.surplus) throw new Doubt('tokens are missing on base');
    }
    if (this.#isClosing) return;
    for (const eata of this.#wantedOf(mint)) this.#stall(mint, eata, 'its transactions came too late');
  }

  /** The eATAs of a mint to undelegate now, in the order of their requests. */
  #wantedOf({ mint }: MintKeys): Address[] {
    const { projections } = this.#parts;
    const eatas = this.#requests().map(({ eata }) => eata);
    return eatas.filter((eata) => projections.ofEata(eata)?.mint === mint && !this.#stalled.isHeld(eata));
  }

  /** Submits what can be submitted of a batch; the rest is planned anew. */
  async #carryOut(mint: MintKeys, batch: Batch): Promise<void> {
    const { base, validator, random } = this.#parts;
    const { blockhash } = base.head();
    const sign = (step: Step): SignedStep => {
      const mark = Buffer.from(random.bytes(MARK_BYTES)).toString('hex');
      const transaction = signStep(step, { validator, blockhash, mark });
      return { ...step, transaction, signature: encodeBase58(transaction.signatures[0] as Uint8Array) };
    };
    const lessening = batch.lessening.map(sign);
    const adding = batch.adding.map(sign);
    await this.#writeDown([...lessening, ...adding]);
    await this.#submitAll(lessening);
    // Base may have rejected some: add only what the vault has room for now.
    const hasRoom = lessening.length === 0 || sumOf(adding) <= this.#booksOf(mint).room;
    if (hasRoom) await this.#submitAll(adding);
  }

  /**
   * Resolves once the signatures, and everything on the rollup that the batch is planned from, are durable.
   * Crash case: the process dies right after a submission. On restart the request names the signature, and
   * base says whether it landed.
   */
  async #writeDown(steps: readonly SignedStep[]): Promise<void> {
    const { ledger } = this.#parts;
    const books = new BooksView(ledger.state());
    const entries = steps.flatMap(({ isUndelegation, projection, signature }) => {
      const request = isUndelegation ? books.requestOf(projection.eata) : null;
      return request === null ? [] : [requestEntry({ ...request, signature })];
    });
    if (entries.length > 0) await ledger.setOwnAccounts(entries);
  }

  /** A rejected transaction does not endanger the others. */
  async #submitAll(steps: readonly SignedStep[]): Promise<void> {
    for (let from = 0; from < steps.length && !this.#isClosing; from += STEPS_AT_ONCE) {
      const group = steps.slice(from, from + STEPS_AT_ONCE);
      const submissions = await Promise.all(
        group.map(({ transaction }) => this.#parts.base.submit(transaction)),
      );
      for (const [index, { err }] of submissions.entries()) this.#note(group[index] as Step, err);
    }
  }

  #note({ projection, rentPayer, isUndelegation }: Step, err: TransactionError | null): void {
    const { eata } = projection;
    // Its blockhash expired, for example because time on base was moved ahead. The next batch gets a new one.
    if (err === 'BlockhashNotFound') return;
    if (err === null) {
      this.#unfit.forget(eata);
      if (!isUndelegation) return;
      this.#forget(eata);
      this.#hasReturned = true;
    } else if (isUndelegation) {
      this.#rentPayers.set(eata, rentPayer);
      this.#stall(projection, eata, err);
    } else {
      this.#unfit.hold(eata);
      this.#parts.logger.error({ mint: projection.mint, reason: err }, 'base did not take a settlement');
    }
  }

  /** Loud the first time, and less so when it goes on. */
  #stall({ mint }: MintKeys, eata: Address, reason: TransactionError): void {
    const failures = this.#stalled.hold(eata);
    const message = 'SETTLEMENT STALLED: an eATA could not be given back on base; it is tried again';
    this.#parts.logger[failures === 1 ? 'error' : 'warn']({ mint, reason, failures }, message);
  }

  #forget(eata: Address): void {
    this.#stalled.forget(eata);
    this.#rentPayers.delete(eata);
  }

  #releaseAll(): void {
    this.#stalled.releaseAll();
    this.#unfit.releaseAll();
  }

  #releaseRicher(changes: readonly AccountChange[]): void {
    for (const [eata, rentPayer] of this.#rentPayers) {
      if (changes.some((change) => change.address === rentPayer && isRicher(change))) {
        this.#stalled.release(eata);
      }
    }
  }

  #halt({ mint, tokenProgram }: MintKeys, error: unknown): void {
    const reason = error instanceof Doubt ? error.message : 'settling failed';
    this.#parts.halted.set(mint, reason);
    this.#haltedMints.set(mint, { mint, tokenProgram, vaultAta: vaultAtaOf({ mint, tokenProgram }) });
    this.#doubted.hold(mint);
    this.#parts.logger.error(
      { mint, reason, ...(error instanceof Doubt ? {} : { err: error }) },
      'SETTLEMENT HALTED: nothing of this mint is settled until its accounts on base are in order',
    );
  }

  /** Resumes a mint once its accounts add up again. */
  #reopen(mint: Address): void {
    const keys = this.#haltedMints.get(mint);
    if (keys === undefined) return;
    const { halted, logger } = this.#parts;
    try {
      this.#booksOf(keys);
    } catch (error) {
      halted.set(mint, error instanceof Doubt ? error.message : 'settling failed');
      if (!this.#doubted.isHeld(mint)) this.#doubted.hold(mint);
      return;
    }
    this.#haltedMints.delete(mint);
    this.#doubted.release(mint);
    halted.delete(mint);
    logger.info({ mint }, 'settlement of the mint goes on');
    this.wake();
  }
}

function isRicher({ before, after }: AccountChange): boolean {
  return (after?.lamports ?? 0n) > (before?.lamports ?? 0n);
}
