import { assertInvariant } from '../../errors/assert-invariant.ts';
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
import type { Claims } from './claims.ts';
import type { Duty } from './duties.ts';
import type { HaltedMints } from './halted-mints.ts';
import { commitmentInstructions, markOf, signSettlement } from './settlement-transaction.ts';
import { booksOf, Doubt, type Books, type MintKeys } from './solvency.ts';
import { tellSetback } from './tell-setback.ts';

/** What a {@link Settler} needs. */
interface SettlerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly projections: Projections;
  readonly claims: Claims;
  readonly validator: Keypair;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
  readonly halted: HaltedMints;
  /** Told when something that had to wait may be done. */
  readonly wake: () => void;
}

/** Transactions submitted to base at once: they share one flush, and the event loop stays responsive. */
const STEPS_AT_ONCE = 16;

/** Batches planned in a row when base rejects a transaction; what is left then has to wait. */
const ATTEMPTS_MAX = 10;

type BaseEvent = Parameters<LedgerListener>[0];

/** A step with its signed transaction. */
interface SignedStep extends Step {
  readonly transaction: Transaction;
  /** base58. */
  readonly signature: string;
}

/**
 * Settles undelegations on base. It works through the requests in its books, one mint at a time. Everything
 * it needs after a crash is durable before anything is submitted:
 *
 * - a request is in the commit of the transaction that made it;
 * - the signature of an undelegation is in its request before it is submitted, and base's own history says
 *   whether it landed;
 * - a commit without an undelegation needs no record: it is planned from the state of base, and its nonce is
 *   valid only once.
 *
 * Whoever follows base sees from the transaction's own event that a request is done.
 */
export class Settler implements Duty {
  readonly #parts: SettlerParts;
  /** eATAs whose undelegation base did not accept. */
  readonly #stalled: BackOff;
  /** eATAs that could not be settled to make room in the vault. */
  readonly #unfit: BackOff;
  /** Who is refunded the rent of a stalled eATA; a lack of lamports there may be what stalls it. */
  readonly #rentPayers = new Map<Address, Address>();
  #hasReturned = false;
  #isClosing = false;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
    const { timer, projections, wake } = parts;
    this.#stalled = new BackOff(timer, (eata) => {
      if (projections.ofEata(eata) === undefined) this.#forget(eata);
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

  /** Settles what there is of one mint; false when no request can be settled now. */
  async step(): Promise<boolean> {
    const next = this.#nextRequest();
    if (next === undefined) return false;
    await this.#settleOrHalt(next);
    return true;
  }

  /** Lets what failed be tried again if this event on base may have been what it waited for. */
  reconsider(event: BaseEvent): void {
    if (this.#stalled.size + this.#unfit.size === 0) return;
    if (event.kind === 'accounts') this.#releaseAll();
    else this.#releaseRicher(event.changes);
  }

  close(): void {
    this.#isClosing = true;
    for (const backOff of [this.#stalled, this.#unfit]) backOff.close();
  }

  #requests(): readonly SettlementRequest[] {
    return new BooksView(this.#parts.ledger.state()).requests();
  }

  /** @throws {Doubt} saying why nothing may be submitted. */
  #booksOf(keys: MintKeys): Books {
    const { claims, base } = this.#parts;
    return booksOf(keys, claims.of(keys.mint), base.state());
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
    assertInvariant(batch.lessening.every(addsNothing), 'what is settled first raises no claims on base');
    assertInvariant(
      [...batch.lessening, ...batch.adding].every(({ projection }) => projection.mint === mint.mint),
      'a batch is of one mint',
    );
    const { blockhash } = base.head();
    const sign = (step: Step): SignedStep => {
      const mark = markOf(random);
      const instructions = commitmentInstructions(step, validator.address);
      const transaction = signSettlement(instructions, { validator, blockhash, mark });
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

  #stall({ mint }: MintKeys, eata: Address, reason: TransactionError): void {
    const failures = this.#stalled.hold(eata);
    const message = 'SETTLEMENT STALLED: an eATA could not be given back on base; it is tried again';
    tellSetback(this.#parts.logger, { mint, reason, failures }, message);
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
}

const addsNothing = ({ gained }: Step): boolean => gained <= 0n;

function isRicher({ before, after }: AccountChange): boolean {
  return (after?.lamports ?? 0n) > (before?.lamports ?? 0n);
}
