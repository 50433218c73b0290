import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import { BlockhashLives } from '../settlement/blockhash-life.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { OrderLink, Payment } from '../settlement/payment-store.ts';
import { type AgreedTransfer, readSignedTransfer, rollupOf, type SignedTransfer } from './agreed-transfer.ts';

/** The purpose of a transfer. */
export interface TransferPurpose {
  /** At most one transfer with this identifier can land. */
  readonly identifier: string;
  readonly link: OrderLink;
  /** The error if it is too late for a new payment; null otherwise. */
  readonly late: ServiceError | null;
  /** Called before the transfer is stored. Ensures that the record it pays is not deleted. */
  keep(): Promise<void>;
}

/** Stores signed transfers and sends them, if they can land. */
export class TransferSender {
  readonly #follower: PaymentFollower;
  readonly #clock: Clock;
  readonly #lives: BlockhashLives;

  constructor(follower: PaymentFollower, clock: Clock) {
    this.#follower = follower;
    this.#clock = clock;
    this.#lives = new BlockhashLives(clock);
  }

  /**
   * Stores and sends the signed transaction of a transfer, and waits briefly for its outcome.
   *
   * @param text the transaction, base64.
   * @param gone aborts when the client disconnects.
   * @returns the payment, possibly still without an outcome.
   * @throws {ServiceError} INVALID_PAYMENT_TRANSACTION, `purpose.late`, TRANSACTION_EXPIRED,
   *   TRANSACTION_FAILED if a simulation fails (nothing is then sent), PAYMENT_TRANSACTION_CONFLICT; the
   *   errors of reading ledgers and stores.
   */
  async send(
    text: string,
    transfer: AgreedTransfer,
    { identifier, link, late, keep }: TransferPurpose,
    gone: AbortSignal,
  ): Promise<Payment> {
    const signed = await readSignedTransfer(text, transfer);
    const { id, wire, signature } = signed;
    const known = await this.#follower.find(id);
    if (known?.id === id) return await this.#follower.outcomeOf(known, gone);
    const payment: Payment = {
      id,
      identifier,
      state: 'signed',
      version: 0,
      cluster: transfer.chain.cluster,
      ledger: 'rollup',
      network: transfer.chain.cluster,
      wire,
      signature,
      lastValidBlockHeight: await this.#requireLandable(signed, transfer, late),
      payer: transfer.from,
      payTo: transfer.to,
      mint: transfer.mint,
      amount: transfer.amount,
      slot: null,
      error: null,
      isReleased: false,
      order: link,
      delivery: null,
      createdMs: this.#clock.now(),
      finishedMs: null,
    };
    await keep();
    const created = await this.#follower.store(payment);
    if (created.kind === 'conflict') throw conflict();
    if (created.kind === 'same') return await this.#follower.outcomeOf(created.payment, gone);
    await this.#follower.sendFirst(payment);
    return await this.#follower.outcomeOf(payment, gone);
  }

  /**
   * Checks whether {@link send} would accept a transaction. Stores and sends nothing.
   *
   * @throws {ServiceError} the errors of {@link send}; PAYMENT_NOT_PAYABLE if the transaction has failed.
   */
  async check(text: string, transfer: AgreedTransfer, { identifier, late }: TransferPurpose): Promise<void> {
    const signed = await readSignedTransfer(text, transfer);
    const stored = await this.#follower.find(identifier);
    if (stored === undefined || stored.state === 'expired') {
      await this.#requireLandable(signed, transfer, late);
    } else if (stored.id !== signed.id) {
      throw conflict();
    } else if (stored.state === 'failed') {
      throw new ServiceError(
        'PAYMENT_NOT_PAYABLE',
        'The payment was sent and failed: ask the merchant for a new order',
      );
    }
  }

  /**
   * Checks that a transaction that is not stored yet can land, or has landed because its payer sent it
   * without this service. Returns the last block height at which it can land.
   *
   * @param late the error if it is too late for a new payment.
   */
  async #requireLandable(
    { blockhash, wire, signature }: SignedTransfer,
    transfer: AgreedTransfer,
    late: ServiceError | null,
  ): Promise<number> {
    const rollup = rollupOf(transfer);
    const life = late === null ? await this.#lives.of(blockhash, rollup, 'rollup') : null;
    const failure = late ?? (life === null ? stale() : await this.#simulate(wire, transfer));
    if (life !== null && failure === null) return life.lastValidBlockHeight;
    const status = await rollup.signatureStatus(signature, undefined, { searchHistory: true });
    if (status === null) throw failure as ServiceError;
    return life?.lastValidBlockHeight ?? (await rollup.blockHeight());
  }

  /** Simulates a signed transfer. Returns the failure; null if it succeeds. */
  async #simulate(wire: Uint8Array, transfer: AgreedTransfer): Promise<ServiceError | null> {
    const rollup = rollupOf(transfer);
    // A rollup that hides statuses does not simulate for callers without a login.
    if (rollup.hidesStatuses === true) return null;
    const { err } = await rollup.simulateTransaction(wire, []);
    if (err === null) return null;
    return new ServiceError(
      'TRANSACTION_FAILED',
      `The payment would fail, so it was not sent: ${JSON.stringify(err)}. Check that ${transfer.from} has at least ${transfer.amount} base units of mint ${transfer.mint} on the rollup, and try again`,
      { reason: JSON.stringify(err) },
    );
  }
}

const conflict = (): ServiceError =>
  new ServiceError(
    'PAYMENT_TRANSACTION_CONFLICT',
    'A different transaction for this payment is already signed, and may land or has landed: read the order again',
  );

const stale = (): ServiceError =>
  new ServiceError(
    'TRANSACTION_EXPIRED',
    'The blockhash of the transaction has expired: prepare the payment again, and sign the new transaction',
  );
