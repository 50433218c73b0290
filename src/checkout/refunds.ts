import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { Payment } from '../settlement/payment-store.ts';
import { type AgreedTransfer, type PreparedTransfer, prepareTransfer } from './agreed-transfer.ts';
import { digest, identifierOf, type Order, type Refund, transferOf } from './order.ts';
import type { RecordStore } from './record-store.ts';
import type { TransferSender } from './transfer-sender.ts';

interface RefundsParts {
  readonly orders: RecordStore<Order>;
  readonly follower: PaymentFollower;
  readonly sender: TransferSender;
  readonly clusters: Clusters;
  readonly clock: Clock;
}

/** Maximum number of refunds per order. Each read of an order also reads the payments of all its refunds. */
const REFUNDS_MAX = 100;

/** Refunds of paid orders, which their merchants sign. Together they never exceed the payment. */
export class Refunds {
  readonly #parts: RefundsParts;

  constructor(parts: RefundsParts) {
    this.#parts = parts;
  }

  /** Returns the stored payment of a refund; undefined if nothing was signed. */
  paymentOf(refundId: string): Promise<Payment | undefined> {
    return this.#parts.follower.find(identifierOf.refund(refundId));
  }

  /**
   * Creates a refund of a paid order, or returns the one with this reference.
   *
   * @param amount base units; default: the amount that is not refunded yet.
   * @throws {ServiceError} PAYMENT_NOT_PAID, REFUND_CONFLICT, REFUND_TOO_LARGE; INVALID_REQUEST if the
   *   order already has {@link REFUNDS_MAX}.
   */
  async create(orderId: string, reference: string, amount?: string): Promise<Refund> {
    const { orders, follower, clock } = this.#parts;
    const id = digest([orderId, reference], 'refund:');
    for (;;) {
      const [order, payment] = await Promise.all([
        orders.get(orderId) as Promise<Order>,
        follower.find(identifierOf.order(orderId)),
      ]);
      const known = order.refunds.find((refund) => refund.id === id);
      if (known !== undefined) return requireSameAmount(known, amount);
      if (payment?.state !== 'settled') {
        throw new ServiceError(
          'PAYMENT_NOT_PAID',
          'The order has not been paid, so there is nothing to refund',
        );
      }
      if (order.refunds.length >= REFUNDS_MAX) {
        throw new ServiceError(
          'INVALID_REQUEST',
          `The order has ${REFUNDS_MAX} refunds, which is the maximum: repeat a refund that was not sent, or return the money without this service`,
        );
      }
      const left = BigInt(order.amount) - (await this.#refunded(order));
      const refund = { id, reference, amount: amount ?? String(left), createdMs: clock.now() };
      if (left === 0n || BigInt(refund.amount) > left) {
        throw new ServiceError(
          'REFUND_TOO_LARGE',
          `At most ${left} of ${order.amount} base units can still be refunded`,
          { field: 'amount', left: String(left) },
        );
      }
      const changed = { ...order, version: order.version + 1, refunds: [...order.refunds, refund] };
      if (await orders.replace(changed)) return refund;
    }
  }

  /**
   * Builds the transaction of a refund, which the merchant signs; null if one is already signed.
   *
   * @throws {ServiceError} the errors of {@link prepareTransfer}.
   */
  async prepare(order: Order, refund: Refund): Promise<PreparedTransfer | null> {
    const payment = await this.paymentOf(refund.id);
    if (payment !== undefined && payment.state !== 'expired') return null;
    return await prepareTransfer(this.#transferOf(order, refund));
  }

  /**
   * Stores and sends the signed transaction of a refund, and waits briefly for its outcome.
   *
   * @param gone aborts when the client disconnects.
   * @throws {ServiceError} REFUND_NOT_FOUND; the errors of {@link TransferSender.send}.
   */
  async settle(
    order: Order,
    refundId: string,
    transactionBase64: string,
    gone: AbortSignal,
  ): Promise<{ readonly refund: Refund; readonly payment: Payment }> {
    const refund = order.refunds.find(({ id }) => id === refundId);
    if (refund === undefined) {
      throw new ServiceError('REFUND_NOT_FOUND', 'The order has no refund with this id: create it first');
    }
    const transfer = this.#transferOf(order, refund);
    const link = { merchant: order.owner, orderId: order.id, refundId };
    const purpose = {
      identifier: identifierOf.refund(refundId),
      link,
      late: null,
      keep: async () => undefined,
    };
    return { refund, payment: await this.#parts.sender.send(transactionBase64, transfer, purpose, gone) };
  }

  /** Returns the total of all refunds that can land or have landed, in base units. */
  async #refunded({ refunds }: Order): Promise<bigint> {
    const payments = await Promise.all(refunds.map(({ id }) => this.paymentOf(id)));
    return refunds
      .filter((_, at) => payments[at]?.state !== 'failed')
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }

  #transferOf({ owner, payer, ...terms }: Order, { id, amount }: Refund): AgreedTransfer {
    const way = { from: owner, to: payer, amount, memo: `refund:${id}` };
    return transferOf(this.#parts.clusters, terms, way);
  }
}

function requireSameAmount(refund: Refund, amount: string | undefined): Refund {
  if (amount === undefined || refund.amount === amount) return refund;
  throw new ServiceError(
    'REFUND_CONFLICT',
    `reference was already used for a refund of ${refund.amount} base units: repeat that amount, or choose a new reference`,
    { field: 'reference' },
  );
}
