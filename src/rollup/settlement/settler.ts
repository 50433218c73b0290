import { isServiceError } from '../../errors/service-error.ts';
import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import type { AccountChange, LedgerListener } from '../../ledger/ledger-events.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { MAGIC_CONTEXT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { BaseLedger } from '../base-ledger.ts';
import type { Projection } from '../projection/projection.ts';
import type { Projections } from '../projection/projections.ts';
import { Doubt, planBatch, surplusOf, type Batch, type Step } from './batch.ts';
import { magicContextAccount, readMagicContext } from './magic-context.ts';
import { signStep } from './settlement-transaction.ts';

/** What a {@link Settler} works with. */
export interface SettlerParts {
  readonly base: BaseLedger;
  /** The rollup's own ledger. */
  readonly ledger: Pick<EmbeddedLedger, 'state' | 'setAccounts'>;
  readonly projections: Projections;
  readonly validator: Keypair;
  readonly random: Random;
  readonly logger: Logger;
  /** Mints about which there is doubt, with the reason; kept up to date. */
  readonly halted: Map<Address, string>;
}

/** Transactions handed to base at once; they share the wait for the disk, and the process stays responsive. */
const STEPS_AT_ONCE = 16;

/** Bytes that tell a transaction from all others. */
const MARK_BYTES = 16;

/** Batches planned anew because base did not take a transaction, before it is left for later. */
const ATTEMPTS_MAX = 10;

type BaseEvent = Parameters<LedgerListener>[0];

/** A step with its transaction. */
interface SignedStep extends Step {
  readonly transaction: Transaction;
  /** base58. */
  readonly signature: string;
}

/**
 * Brings to base what owners asked for. It works off the requests in the Magic context, one mint at a time, and sleeps
 * when there are none. Whatever it has to know after a crash is durable before base is told anything:
 *
 * - a request is part of the transaction that made it;
 * - the signature that gives an eATA back stands in its request before it is submitted, and base's own history says
 *   whether it landed;
 * - a commit that gives nothing back needs no mark: it is planned by what base has, and its nonce is good only once.
 *
 * That a request is done is seen by whoever follows base, from the transaction's own event.
 */
export class Settler {
  readonly #parts: SettlerParts;
  /** eATAs base did not take back, with who lacked the lamports for it, as far as can be told: the validator or this. */
  readonly #stalled = new Map<Address, Address>();
  #isBusy = false;
  #work: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  /** Mints whose undelegations are not taken, with the reason. */
  get halted(): ReadonlyMap<Address, string> {
    return this.#parts.halted;
  }

  /** Looks for requests; the work is done in the background. */
  wake(): void {
    if (this.#isBusy || this.#isClosing) return;
    this.#isBusy = true;
    this.#work = this.#workOff();
  }

  /** Tries again what did not work, when something happened on base that it may have waited for. */
  reconsider(event: BaseEvent): void {
    const { halted, validator } = this.#parts;
    if (halted.size === 0 && this.#stalled.size === 0) return;
    const poor = new Set([validator.address, ...this.#stalled.values()]);
    if (
      event.kind !== 'accounts' &&
      !event.changes.some((change) => poor.has(change.address) && isRicher(change))
    )
      return;
    halted.clear();
    this.#stalled.clear();
    this.wake();
  }

  /** Resolves when there is nothing to do. */
  async idle(): Promise<void> {
    while (this.#isBusy) await this.#work;
  }

  /** Finishes the step under way and does no other. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.idle();
  }

  #nextRequest(): Projection | undefined {
    for (const { eata } of readMagicContext(this.#parts.ledger.state()).requests) {
      const projection = this.#parts.projections.ofEata(eata);
      if (projection === undefined || this.#stalled.has(eata)) continue;
      if (!this.#parts.halted.has(projection.mint)) return projection;
    }
    return undefined;
  }

  async #workOff(): Promise<void> {
    for (let next = this.#nextRequest(); next !== undefined; next = this.#nextRequest()) {
      try {
        await this.#settleMint(next);
      } catch (error) {
        if (isServiceError(error, 'LEDGER_STOPPED')) break;
        this.#halt(next.mint, error);
      }
      if (this.#isClosing) break;
    }
    // In the same breath as the last look: whoever asks from now on wakes it anew.
    this.#isBusy = false;
  }

  async #settleMint(of: Projection): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.#isClosing; attempt++) {
      const { base, ledger, projections } = this.#parts;
      const wanted = this.#wantedOf(of.mint);
      if (wanted.size === 0) return;
      const batch = planBatch(of, projections.ofMint(of.mint), wanted, ledger.state(), base.state());
      const isDone = await this.#carryOut(batch);
      if (!isDone) continue;
      if (surplusOf(of, new Map(), base.state()) < batch.surplus)
        throw new Doubt('tokens are missing on base');
      return;
    }
    // What is left has been tried often enough for now.
    for (const eata of this.#wantedOf(of.mint)) this.#stalled.set(eata, this.#parts.validator.address);
  }

  /** The eATAs of a mint to be given back now. */
  #wantedOf(mint: Address): Set<Address> {
    const { ledger, projections } = this.#parts;
    const eatas = readMagicContext(ledger.state()).requests.map(({ eata }) => eata);
    return new Set(
      eatas.filter((eata) => projections.ofEata(eata)?.mint === mint && !this.#stalled.has(eata)),
    );
  }

  /** Whether all of a batch is done; when not, the rest has to be planned anew. */
  async #carryOut(batch: Batch): Promise<boolean> {
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
    return (await this.#submitAll(lessening)) && (await this.#submitAll(adding));
  }

  /** Resolves when the signatures are durable, and with them everything on the rollup that the batch goes by. */
  async #writeDown(steps: readonly SignedStep[]): Promise<void> {
    const { ledger } = this.#parts;
    const context = readMagicContext(ledger.state());
    const signatures = new Map(
      steps.filter(({ isGivenBack }) => isGivenBack).map((step) => [step.projection.eata, step.signature]),
    );
    const requests = context.requests.map((request) => ({
      ...request,
      signature: signatures.get(request.eata) ?? request.signature,
    }));
    await ledger.setAccounts([[MAGIC_CONTEXT, magicContextAccount({ ...context, requests })]]);
  }

  /** Whether base took all of them. One it does not take is no danger to the others. */
  async #submitAll(steps: readonly SignedStep[]): Promise<boolean> {
    let isDone = true;
    for (let from = 0; from < steps.length; from += STEPS_AT_ONCE) {
      if (this.#isClosing) return false;
      const group = steps.slice(from, from + STEPS_AT_ONCE);
      const submissions = await Promise.all(
        group.map(({ transaction }) => this.#parts.base.submit(transaction)),
      );
      for (const [index, submission] of submissions.entries()) {
        if (submission.err === null) continue;
        this.#noteRefusal(group[index] as Step, submission.err);
        isDone = false;
      }
    }
    return isDone;
  }

  #noteRefusal({ projection, rentPayer, isGivenBack }: Step, reason: TransactionError): void {
    // It came too late, which mends itself: time on base can have been moved ahead.
    if (reason === 'BlockhashNotFound') return;
    this.#parts.logger.error({ mint: projection.mint, reason }, 'base did not take a settlement');
    if (isGivenBack) this.#stalled.set(projection.eata, rentPayer);
  }

  #halt(mint: Address, error: unknown): void {
    const reason = error instanceof Doubt ? error.message : 'settling failed';
    this.#parts.halted.set(mint, reason);
    this.#parts.logger.error(
      { mint, reason, ...(error instanceof Doubt ? {} : { err: error }) },
      'SETTLEMENT HALTED: nothing of this mint is settled until its accounts on base are in order',
    );
  }
}

function isRicher({ before, after }: AccountChange): boolean {
  return (after?.lamports ?? 0n) > (before?.lamports ?? 0n);
}
