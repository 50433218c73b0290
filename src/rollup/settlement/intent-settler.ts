import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { Submission } from '../../ledger/ledger.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { BaseLedger } from '../base-ledger.ts';
import { BooksView } from '../books/books.ts';
import { sentIntentEntry } from '../books/entries.ts';
import type { Intent } from '../books/intent.ts';
import type { Projections } from '../projection/projections.ts';
import { admitValidator } from '../validator-accounts.ts';
import { BackOff } from './back-off.ts';
import type { Duty } from './duties.ts';
import type { HaltedMints } from './halted-mints.ts';
import { refusedEntries } from './intent-outcome.ts';
import { mintsOf, planIntent } from './intent-plan.ts';
import { signIntent } from './intent-transaction.ts';
import { isRefund } from './refund.ts';
import { RefusedActions } from './refused-actions.ts';
import { outcomeOf } from './sent-outcome.ts';
import { markOf } from './settlement-transaction.ts';
import type { Ledgers } from './claim.ts';
import { tellSetback } from './tell-setback.ts';

/** What an {@link IntentSettler} needs. */
interface IntentSettlerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setOwnAccounts'>;
  readonly projections: Projections;
  readonly validator: Keypair;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
  readonly halted: HaltedMints;
  /** Takes in what base has carried out, told of or not; resolves once that is durable, or cannot be. */
  readonly takeInSettled: () => Promise<void>;
  /** Told when something that had to wait may be done. */
  readonly wake: () => void;
}

/** Transactions submitted to base at once: they share one flush, and the event loop stays responsive. */
const INTENTS_AT_ONCE = 16;

/** An intent with the base transaction signed for it. */
interface SignedIntent {
  readonly intent: Intent;
  readonly transaction: Transaction;
}

/**
 * Carries intents out on base: those of one payer in turn, those of different payers side by side. Each is
 * one base transaction, whose bytes are in the books before it is submitted; base's own history says after a
 * crash whether it landed. Whoever follows base sees from the transaction's own event that an intent was
 * carried out, and takes in what follows; nothing is signed again of which base says that it landed.
 *
 * A payment that base refuses has failed, and its callbacks are told. What gives accounts back, and what pays
 * a sender back, is tried again until base takes it: nobody else can do it. Accounts whose intent has actions
 * that base does not take come back without them in the end. What waits holds up nothing but the later
 * payments of its queue, and a refund that waits holds up nothing at all.
 *
 * A payment that may have been made is held for good: base has forgotten what landed at that time, and to
 * send it again could pay it twice.
 */
export class IntentSettler implements Duty {
  readonly #parts: IntentSettlerParts;
  readonly #stalled: BackOff<bigint>;
  readonly #refusedActions: RefusedActions;
  /** The signatures of intents that are held, as has been logged. */
  readonly #told = new Set<string>();

  constructor(parts: IntentSettlerParts) {
    this.#parts = parts;
    this.#stalled = new BackOff(parts.timer, () => parts.wake());
    this.#refusedActions = new RefusedActions(parts.timer);
  }

  /** Intents that base did not take and that will be tried again. */
  get stalledCount(): number {
    return this.#books.intents().filter(({ id }) => this.#stalled.isHeld(id)).length;
  }

  /**
   * The ids of intents of which nobody can say whether base has carried them out: they are not sent again.
   */
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
      if (outcome.kind === 'carried out') await this.#takeIn(intent);
      // Crash case: base refused the payment, and the rollup died before it had taken that in.
      else if (outcome.kind === 'refused' && endsRefused(intent)) {
        await this.#refuse(intent, describe(outcome.err));
      } else if (halted.admits(mintsOf(intent, projections))) await this.#prepare(intent, signed);
    }
    const open = signed.filter(({ intent }) => this.#isOpen(intent));
    if (open.length > 0) await ledger.setOwnAccounts(open.map(({ intent }) => sentIntentEntry(intent)));
    const submissions = await Promise.all(open.map(({ transaction }) => base.submit(transaction)));
    for (const [index, submission] of submissions.entries()) {
      await this.#note(open[index] as SignedIntent, submission);
    }
    return true;
  }

  /** Lets all be tried again that failed. */
  releaseAll(): void {
    this.#stalled.releaseAll();
  }

  close(): void {
    this.#stalled.close();
    this.#refusedActions.close();
  }

  get #books(): BooksView {
    return new BooksView(this.#parts.ledger.state());
  }

  #ledgers(): Ledgers {
    const { base, ledger, projections } = this.#parts;
    return { base: base.state(), rollup: ledger.state(), projections };
  }

  /** The first intent of each payer that does not have to wait; of a queue, only if none before it has to. */
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

  /** Whether it is held for good; that is logged once. The later payments of its queue do not wait for it. */
  #isHeld(intent: Intent): boolean {
    const { id, sent } = intent;
    if (sent === null || outcomeOf(intent, this.#parts.base).kind !== 'unknown') return false;
    if (this.#told.has(sent.signature)) return true;
    this.#told.add(sent.signature);
    this.#parts.logger.error(
      { intent: `${id}`, signature: sent.signature },
      'PAYMENT HELD: base has forgotten whether it has made a payment; it is not sent again',
    );
    return true;
  }

  #hasToWait(intent: Intent): boolean {
    const { projections, halted } = this.#parts;
    if (this.#stalled.isHeld(intent.id)) return true;
    return mintsOf(intent, projections).some(({ mint }) => halted.has(mint));
  }

  /**
   * Whether later intents of its payer wait with it: those of a queue do, except for a refund. Any other
   * payer may have paid for shuttles of many owners and mints, which have nothing to do with each other.
   */
  #keepsOrder(intent: Intent): boolean {
    return this.#parts.projections.account(intent.payer) !== undefined && !isRefund(intent);
  }

  /** Not when the rollup has begun anew since: the books then count from one again. */
  #isOpen({ id, scheduledBy }: Intent): boolean {
    return this.#books.intents().some((each) => each.id === id && each.scheduledBy === scheduledBy);
  }

  /** Base has carried it out, and that was not taken in: it is not paid a second time. */
  async #takeIn(intent: Intent): Promise<void> {
    const { logger, takeInSettled } = this.#parts;
    await takeInSettled();
    if (this.#isOpen(intent)) return this.#stall(intent, 'what base has carried out could not be taken in');
    this.#forget(intent);
    logger.warn({}, 'base had carried out an intent without the rollup having taken that in; now it has');
  }

  async #prepare(intent: Intent, signed: SignedIntent[]): Promise<void> {
    const { base, validator, random } = this.#parts;
    // The books then say in the same commit that it has no actions any more: what follows goes by that.
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

  /** What cannot be submitted as it is has failed; a refund is looked at again, as nobody else makes it. */
  async #turnDown(intent: Intent, reason: string): Promise<void> {
    if (isRefund(intent)) this.#stall(intent, reason);
    else await this.#refuse(intent, reason);
  }

  #withoutActions(intent: Intent): Intent {
    this.#parts.logger.error(
      { intent: `${intent.id}` },
      'ACTIONS GIVEN UP: base refused them again and again; what was to be given back comes without them',
    );
    return { ...intent, actions: [] };
  }

  async #note({ intent, transaction }: SignedIntent, { err, landed }: Submission): Promise<void> {
    if (err === null) return this.#forget(intent);
    if (landed) this.#refusedActions.note(intent, transaction, err);
    if (landed && endsRefused(intent)) return this.#refuse(intent, describe(err));
    await this.#noteRefusal(intent);
    // Its blockhash expired, for example because time on base was moved ahead. It gets a new one soon.
    if (err === 'BlockhashNotFound') return void this.#stalled.hold(intent.id);
    // Without its actions it is another transaction, which need not wait.
    if (landed && this.#refusedActions.isEnough(intent)) return;
    this.#stall(intent, err);
  }

  /** Has the books say that base carried out nothing: what it forgets later cannot make that doubtful. */
  async #noteRefusal(intent: Intent): Promise<void> {
    if (!this.#isOpen(intent)) return;
    await this.#parts.ledger.setOwnAccounts([sentIntentEntry({ ...intent, sent: null })]);
  }

  async #refuse(intent: Intent, reason: string): Promise<void> {
    const { ledger, logger } = this.#parts;
    this.#forget(intent);
    if (!this.#isOpen(intent)) return;
    logger.warn({ reason }, 'base refused what a program had asked for on the rollup');
    await ledger.setOwnAccounts(refusedEntries(intent, reason));
  }

  #forget(intent: Intent): void {
    const { id } = intent;
    this.#stalled.forget(id);
    this.#refusedActions.forget(intent);
  }

  #stall({ id }: Intent, reason: TransactionError): void {
    const failures = this.#stalled.hold(id);
    const message = 'SETTLEMENT STALLED: an intent could not be carried out on base; it is tried again';
    tellSetback(this.#parts.logger, { reason, failures }, message);
  }
}

/** Whether it has ended when base refuses it: it only pays, and nothing has to be given back. */
function endsRefused(intent: Intent): boolean {
  return intent.commits.length === 0 && intent.lamports.length === 0 && !isRefund(intent);
}

const describe = (err: TransactionError): string => (typeof err === 'string' ? err : JSON.stringify(err));
