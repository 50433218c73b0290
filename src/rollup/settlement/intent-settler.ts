import { isServiceError } from '../../errors/service-error.ts';
import type { Submission } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { BooksView } from '../books/books.ts';
import { itemEntry } from '../books/item.ts';
import { INTENT, type Intent } from '../books/items.ts';
import { admitValidator } from '../validator-accounts.ts';
import type { Ledgers } from './claims.ts';
import { outcomeOf, rejectedEntries } from './endings.ts';
import { isRefund, mintsOf, planIntent, RefusedActions, signIntent } from './intent-plan.ts';
import { BackOff, type Job, logFailure, type SettlementContext } from './jobs.ts';
import { markOf } from './settlement-transaction.ts';

type IntentSettlerParts = Omit<SettlementContext, 'claims' | 'runner'>;

/** Maximum number of transactions submitted at once. They share a flush without blocking the event loop. */
const INTENTS_AT_ONCE = 16;

interface SignedIntent {
  readonly intent: Intent;
  readonly transaction: Transaction;
}

/**
 * Executes intents on base, in order for each payer and in parallel for different payers. Each is one base
 * transaction. Its bytes are in the books before it is submitted, so after a crash base's history shows
 * whether it landed. `BaseFollower` processes the transaction's event and everything that follows from it. An
 * intent that base has executed is never signed again.
 *
 * A payment that base rejects has failed, and its callbacks report that. Undelegations and refunds are
 * retried until base accepts them, because no one else can make them. If base keeps rejecting the actions of
 * an undelegation, its accounts are returned without the actions. A waiting intent delays only the later
 * payments of its queue, and a waiting refund delays nothing.
 *
 * A payment whose outcome is unknown is held permanently: base no longer stores transactions from that time,
 * and sending it again could pay twice.
 */
export class IntentSettler implements Job {
  readonly #parts: IntentSettlerParts;
  readonly #stalled: BackOff<bigint>;
  readonly #refusedActions = new RefusedActions();
  /** The signatures of held intents that were already logged. */
  readonly #logged = new Set<string>();

  constructor(parts: IntentSettlerParts) {
    this.#parts = parts;
    this.#stalled = new BackOff(parts.timer, () => parts.wake());
  }

  /** Intents that base did not accept and that will be retried. */
  get stalledCount(): number {
    return this.#books.intents().filter(({ id }) => this.#stalled.isHeld(id)).length;
  }

  /** The ids of intents whose outcome on base is unknown. They are not sent again. */
  get held(): readonly bigint[] {
    const { base } = this.#parts;
    const held = this.#books.intents().filter((intent) => outcomeOf(intent, base).kind === 'unknown');
    return held.map(({ id }) => id);
  }

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async step(): Promise<boolean> {
    const ready = this.#ready();
    if (ready.length === 0) return false;
    const { base, validator, ledger, halted, projections } = this.#parts;
    await admitValidator(base, validator.address);
    const signed: SignedIntent[] = [];
    for (const intent of ready) {
      const outcome = outcomeOf(intent, base);
      if (outcome.kind === 'carried out') await this.#processExecuted(intent);
      // After a crash: base rejected the payment, and the rollup crashed before it processed the rejection.
      else if (outcome.kind === 'refused' && endsRefused(intent)) {
        await this.#refuse(intent, describe(outcome.err));
      } else if (halted.admits(mintsOf(intent, projections))) await this.#prepare(intent, signed);
    }
    const open = signed.filter(({ intent }) => this.#isOpen(intent));
    if (open.length > 0) await ledger.setOwnAccounts(open.map(({ intent }) => itemEntry(INTENT, intent)));
    const submissions = await Promise.all(open.map(({ transaction }) => base.submit(transaction)));
    for (const [index, submission] of submissions.entries()) {
      await this.#note(open[index] as SignedIntent, submission);
    }
    return true;
  }

  /** Allows early retries, except of intents whose actions base rejected: those rejections are counted. */
  releaseAll(): void {
    for (const intent of this.#books.intents())
      if (!this.#refusedActions.has(intent)) this.#stalled.release(intent.id);
  }

  close(): void {
    this.#stalled.close();
  }

  get #books(): BooksView {
    return new BooksView(this.#parts.ledger.state());
  }

  #ledgers(): Ledgers {
    const { base, ledger, projections } = this.#parts;
    return { base: base.state(), rollup: ledger.state(), projections };
  }

  /** Returns each payer's first intent that need not wait; none if an earlier intent of the payer waits. */
  #ready(): readonly Intent[] {
    const first = new Map<Address, Intent>();
    const blocked = new Set<Address>();
    for (const intent of this.#books.intents()) {
      const { payer } = intent;
      if (first.has(payer) || blocked.has(payer) || this.#isHeld(intent)) continue;
      if (!this.#hasToWait(intent)) first.set(payer, intent);
      else if (this.#keepsOrder(intent)) blocked.add(payer);
    }
    return [...first.values()].slice(0, INTENTS_AT_ONCE);
  }

  /** Whether the intent is held permanently. Logs this once. Later payments of its queue are not delayed. */
  #isHeld(intent: Intent): boolean {
    const { id, sent } = intent;
    if (sent === null || outcomeOf(intent, this.#parts.base).kind !== 'unknown') return false;
    if (this.#logged.has(sent.signature)) return true;
    this.#logged.add(sent.signature);
    this.#parts.logger.error(
      { intent: `${id}`, signature: sent.signature },
      'PAYMENT HELD: base no longer stores whether it made a payment; it is not sent again',
    );
    return true;
  }

  #hasToWait(intent: Intent): boolean {
    const { projections, halted } = this.#parts;
    if (this.#stalled.isHeld(intent.id)) return true;
    return mintsOf(intent, projections).some(({ mint }) => halted.has(mint));
  }

  /**
   * Whether later intents of the payer wait for this intent. They do if the payer is a queue, unless this
   * intent is a refund. Any other payer may have paid for shuttles of many owners and mints, which are
   * independent.
   */
  #keepsOrder(intent: Intent): boolean {
    return this.#parts.projections.account(intent.payer) !== undefined && !isRefund(intent);
  }

  /** Whether the intent still exists. After a reset of the rollup, ids start from one again. */
  #isOpen({ id, scheduledBy }: Intent): boolean {
    return this.#books.intents().some((each) => each.id === id && each.scheduledBy === scheduledBy);
  }

  /** Processes an intent that base has already executed, so it is not paid twice. */
  async #processExecuted(intent: Intent): Promise<void> {
    const { logger, processSettled } = this.#parts;
    await processSettled();
    if (this.#isOpen(intent))
      return this.#stall(intent, 'an intent that base executed could not be processed');
    this.#forget(intent);
    logger.warn({}, 'processed an intent that base had already executed');
  }

  async #prepare(intent: Intent, signed: SignedIntent[]): Promise<void> {
    const { base, validator, random } = this.#parts;
    // The same commit removes the actions from the books, so later steps agree.
    const wanted = this.#refusedActions.isEnough(intent) ? this.#withoutActions(intent) : intent;
    const plan = planIntent(wanted, this.#ledgers());
    if (plan === null) return this.#stall(intent, 'a delegation on base cannot be read');
    if ('refusal' in plan) return this.#turnDown(intent, plan.refusal);
    try {
      const { blockhash, slot } = base.head();
      const transaction = signIntent(wanted, plan, { validator, blockhash, mark: markOf(random) });
      const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
      const sent = { signature, wire: transaction.wire, slot: BigInt(slot) };
      signed.push({ intent: { ...wanted, sent }, transaction });
    } catch (error) {
      if (!isServiceError(error, 'TRANSACTION_TOO_LARGE')) throw error;
      await this.#turnDown(intent, 'it does not fit into a transaction');
    }
  }

  /** Fails an intent that cannot be submitted. A refund is retried, because no one else can make it. */
  async #turnDown(intent: Intent, reason: string): Promise<void> {
    if (isRefund(intent)) this.#stall(intent, reason);
    else await this.#refuse(intent, reason);
  }

  #withoutActions(intent: Intent): Intent {
    this.#parts.logger.error(
      { intent: `${intent.id}` },
      'ACTIONS DROPPED: base rejected them repeatedly; the accounts are returned without them',
    );
    return { ...intent, actions: [] };
  }

  async #note({ intent, transaction }: SignedIntent, { err, landed }: Submission): Promise<void> {
    if (err === null) return this.#forget(intent);
    if (landed) this.#refusedActions.note(intent, transaction, err);
    if (landed && endsRefused(intent)) return this.#refuse(intent, describe(err));
    await this.#noteRefusal(intent);
    // The blockhash expired, for example after time travel on base. The next attempt has a new one.
    if (err === 'BlockhashNotFound') return void this.#stalled.hold(intent.id);
    // Without its actions the intent is a new transaction, which need not wait.
    if (landed && this.#refusedActions.isEnough(intent)) return;
    this.#stall(intent, err);
  }

  /** Records that base rejected the transaction. The outcome stays known after base drops its history. */
  async #noteRefusal(intent: Intent): Promise<void> {
    if (!this.#isOpen(intent)) return;
    await this.#parts.ledger.setOwnAccounts([itemEntry(INTENT, { ...intent, sent: null })]);
  }

  async #refuse(intent: Intent, reason: string): Promise<void> {
    const { ledger, logger } = this.#parts;
    this.#forget(intent);
    if (!this.#isOpen(intent)) return;
    logger.warn({ reason }, 'base rejected the request of a program on the rollup');
    await ledger.setOwnAccounts(rejectedEntries(intent, reason));
  }

  #forget(intent: Intent): void {
    const { id } = intent;
    this.#stalled.forget(id);
    this.#refusedActions.forget(intent);
  }

  #stall({ id }: Intent, reason: TransactionError): void {
    const failures = this.#stalled.hold(id);
    const message = 'SETTLEMENT STALLED: an intent could not be executed on base; the rollup retries';
    logFailure(this.#parts.logger, { reason, failures }, message);
  }
}

/** Whether a rejection by base ends an intent, because it only pays and returns no accounts. */
function endsRefused(intent: Intent): boolean {
  return intent.commits.length === 0 && intent.lamports.length === 0 && !isRefund(intent);
}

const describe = (err: TransactionError): string => (typeof err === 'string' ? err : JSON.stringify(err));
