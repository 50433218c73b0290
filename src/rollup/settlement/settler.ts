import { assertInvariant } from '../../errors/assert-invariant.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { BooksView } from '../books/books.ts';
import { itemEntry } from '../books/item.ts';
import { REQUEST, type SettlementRequest } from '../books/items.ts';
import type { Projection } from '../projection/projections.ts';
import { admitValidator } from '../validator-accounts.ts';
import { type Batch, planBatch, type Step, sumOf } from './batch.ts';
import { BackOff, type Job, logFailure, type SettlementContext } from './jobs.ts';
import { commitmentInstructions, markOf, signSettlement } from './settlement-transaction.ts';
import { type Books, booksOf, InconsistentBooks, type MintKeys } from './solvency.ts';

/** Maximum number of transactions submitted at once. They share a flush without blocking the event loop. */
const STEPS_AT_ONCE = 16;

/** Maximum number of batches planned in a row if base rejects transactions. The rest must wait. */
const ATTEMPTS_MAX = 10;

interface SignedStep extends Step {
  readonly transaction: Transaction;
  /** The signature, base58. */
  readonly signature: string;
}

/**
 * Settles undelegations on base. It processes the requests in the books, one mint at a time. Everything
 * needed after a crash is durable before anything is submitted:
 *
 * - a request is in the commit of the transaction that made it;
 * - the signature of an undelegation is in its request before it is submitted, and base's history shows
 *   whether it landed;
 * - a commit without an undelegation needs no record: it is planned from the state of base, and its nonce is
 *   valid only once.
 *
 * `BaseFollower` closes a request when it processes the event of the transaction.
 */
export class Settler implements Job {
  readonly #parts: SettlementContext;
  /** eATAs whose undelegation base rejected. */
  readonly #stalled: BackOff;
  /** eATAs that could not be settled to make room in the vault. */
  readonly #unfit: BackOff;
  #hasReturned = false;
  #isClosing = false;

  constructor(parts: SettlementContext) {
    this.#parts = parts;
    const { timer, projections, wake } = parts;
    this.#stalled = new BackOff(timer, (eata) => {
      if (projections.ofEata(eata) === undefined) this.#stalled.forget(eata);
      wake();
    });
    this.#unfit = new BackOff(timer, (eata) => {
      if (projections.ofEata(eata) === undefined) this.#unfit.forget(eata);
      this.#stalled.releaseAll();
      wake();
    });
  }

  /** Requests that failed and will be retried. */
  get stalledCount(): number {
    return this.#requests().filter(({ eata }) => this.#stalled.isHeld(eata)).length;
  }

  /** Settles the requests of one mint; returns false if no request can be settled now. */
  async step(): Promise<boolean> {
    const next = this.#nextRequest();
    if (next === undefined) return false;
    await this.#settleOrHalt(next);
    return true;
  }

  releaseAll(): void {
    this.#stalled.releaseAll();
    this.#unfit.releaseAll();
  }

  close(): void {
    this.#isClosing = true;
    for (const backOff of [this.#stalled, this.#unfit]) backOff.close();
  }

  #requests(): readonly SettlementRequest[] {
    return new BooksView(this.#parts.ledger.state()).requests();
  }

  /** @throws {InconsistentBooks} if nothing may be submitted. */
  #booksOf(keys: MintKeys): Books {
    const { claims, base } = this.#parts;
    return booksOf(keys, claims.of(keys.mint), base.state());
  }

  /** Returns the next request. Failed requests are retried after other requests were settled. */
  #nextRequest(): Projection | undefined {
    const next = this.#findRequest();
    if (next !== undefined || !this.#hasReturned) return next;
    this.#hasReturned = false;
    this.releaseAll();
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

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async #settleOrHalt(mint: MintKeys): Promise<void> {
    try {
      await this.#settleMint(mint);
    } catch (error) {
      if (isServiceError(error, 'LEDGER_STOPPED')) throw error;
      this.#parts.halted.halt(mint, error);
    }
  }

  async #settleMint(mint: MintKeys): Promise<void> {
    const { base, validator, projections } = this.#parts;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#isClosing; attempt++) {
      await admitValidator(base, validator.address);
      const eatas = this.#wantedOf(mint);
      if (eatas.length === 0) return;
      const mayCover = (eata: Address): boolean => !this.#unfit.isHeld(eata);
      const batch = planBatch(this.#booksOf(mint), { eatas, mayCover }, { base: base.state(), projections });
      for (const [eata, reason] of batch.waiting) this.#stall(mint, eata, reason);
      await this.#execute(mint, batch);
      if (this.#booksOf(mint).surplus < batch.surplus)
        throw new InconsistentBooks('tokens are missing on base');
    }
    if (this.#isClosing) return;
    for (const eata of this.#wantedOf(mint))
      this.#stall(mint, eata, 'base rejected its transactions repeatedly');
  }

  #wantedOf({ mint }: MintKeys): Address[] {
    const { projections } = this.#parts;
    const eatas = this.#requests().map(({ eata }) => eata);
    return eatas.filter((eata) => projections.ofEata(eata)?.mint === mint && !this.#stalled.isHeld(eata));
  }

  /** Submits the part of a batch that is possible now. The rest is planned again. */
  async #execute(mint: MintKeys, batch: Batch): Promise<void> {
    const { base, validator, random } = this.#parts;
    assertInvariant(batch.lowering.every(addsNothing), 'steps settled first must not raise claims on base');
    assertInvariant(
      [...batch.lowering, ...batch.raising].every(({ projection }) => projection.mint === mint.mint),
      'a batch must contain one mint only',
    );
    const { blockhash } = base.head();
    const sign = (step: Step): SignedStep => {
      const mark = markOf(random);
      const instructions = commitmentInstructions(step, validator.address);
      const transaction = signSettlement(instructions, { validator, blockhash, mark });
      return { ...step, transaction, signature: encodeBase58(transaction.signatures[0] as Uint8Array) };
    };
    const lowering = batch.lowering.map(sign);
    const raising = batch.raising.map(sign);
    await this.#storeSignatures([...lowering, ...raising]);
    await this.#submitAll(lowering);
    // Base may have rejected some transactions. Add only what the vault has room for now.
    const hasRoom = lowering.length === 0 || sumOf(raising) <= this.#booksOf(mint).room;
    if (hasRoom) await this.#submitAll(raising);
  }

  /**
   * Stores the signatures in their requests. Resolves when they and the rollup state behind the batch are
   * durable. If the process crashes right after a submission, base shows whether the stored signature landed.
   */
  async #storeSignatures(steps: readonly SignedStep[]): Promise<void> {
    const { ledger } = this.#parts;
    const books = new BooksView(ledger.state());
    const entries = steps.flatMap(({ isUndelegation, projection, signature }) => {
      const request = isUndelegation ? books.requestOf(projection.eata) : null;
      return request === null ? [] : [itemEntry(REQUEST, { ...request, signature })];
    });
    if (entries.length > 0) await ledger.setOwnAccounts(entries);
  }

  /** Submits the steps. A rejected transaction does not affect the others. */
  async #submitAll(steps: readonly SignedStep[]): Promise<void> {
    for (let from = 0; from < steps.length && !this.#isClosing; from += STEPS_AT_ONCE) {
      const group = steps.slice(from, from + STEPS_AT_ONCE);
      const submissions = await Promise.all(
        group.map(({ transaction }) => this.#parts.base.submit(transaction)),
      );
      for (const [index, { err }] of submissions.entries()) this.#note(group[index] as Step, err);
    }
  }

  #note({ projection, isUndelegation }: Step, err: TransactionError | null): void {
    const { eata } = projection;
    // The blockhash expired, for example after time travel on base. The next batch has a new one.
    if (err === 'BlockhashNotFound') return;
    if (err === null) {
      this.#unfit.forget(eata);
      if (!isUndelegation) return;
      this.#stalled.forget(eata);
      this.#hasReturned = true;
    } else if (isUndelegation) this.#stall(projection, eata, err);
    else {
      this.#unfit.hold(eata);
      this.#parts.logger.error({ mint: projection.mint, reason: err }, 'base rejected a settlement');
    }
  }

  #stall({ mint }: MintKeys, eata: Address, reason: TransactionError): void {
    const failures = this.#stalled.hold(eata);
    const message = 'SETTLEMENT STALLED: an eATA could not be undelegated on base; the rollup retries';
    logFailure(this.#parts.logger, { mint, reason, failures }, message);
  }
}

const addsNothing = ({ gained }: Step): boolean => gained <= 0n;
