import { ServiceError } from '../errors/service-error.ts';
import { formatTime } from '../ports/clock.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { FinalState, Payment } from '../settlement/payment-store.ts';
import { type OrderWithPayment, showOrder, showRefund } from './order.ts';

/** Prefix of event ids. An event reports the outcome of a payment, so the payment's id identifies it. */
const PREFIX = 'evt_';

/** Outcome names in event types, such as `refund.paid`. */
const OUTCOMES = { settled: 'paid', failed: 'failed', expired: 'expired' } as const;

/** Returns the id of the event about the outcome of a payment. */
export const eventIdOf = ({ id }: Pick<Payment, 'id'>): string => `${PREFIX}${id}`;

function typeOf({ order, state }: Payment): string {
  const subject = (order?.refundId ?? null) === null ? 'payment' : 'refund';
  return `${subject}.${OUTCOMES[state as FinalState]}`;
}

const finishedMsOf = ({ finishedMs, createdMs }: Payment): number => finishedMs ?? createdMs;

/**
 * Writes the webhook body that reports the outcome of a payment. The body depends only on facts that never
 * change, so all attempts send the same bytes. It shows the order as it was at the time of the outcome.
 *
 * @param event the payment for the order, or for one of its refunds.
 */
export function writeEvent(event: Payment, { order, payment }: OrderWithPayment): string {
  const refund = order.refunds.find(({ id }) => id === event.order?.refundId);
  const finishedMs = finishedMsOf(event);
  // An order can be paid again after its payment has expired. Only a paid order has refunds.
  const ofOrder = refund === undefined ? event : payment;
  return JSON.stringify({
    type: typeOf(event),
    timestamp: formatTime(finishedMs),
    data: {
      payment: showOrder({ order, payment: ofOrder }, finishedMs),
      ...(refund && { refund: showRefund(refund, event) }),
    },
  });
}

/** Returns the events about these payments as the API shows them. Payments without an outcome have none. */
export function showEvents(payments: readonly (Payment | undefined)[]): readonly object[] {
  return payments.flatMap((payment) => {
    if (payment === undefined || payment.delivery === null) return [];
    const { attemptedMs, ...delivery } = payment.delivery;
    return {
      id: eventIdOf(payment),
      type: typeOf(payment),
      createdAt: formatTime(finishedMsOf(payment)),
      delivery: { ...delivery, attemptedAt: attemptedMs === null ? null : formatTime(attemptedMs) },
    };
  });
}

/**
 * Schedules an event to be sent again immediately, with all its retries.
 *
 * @returns the payment that the event is about.
 * @throws {ServiceError} EVENT_NOT_FOUND if the order has no such event; SERVICE_BUSY if the store fails.
 */
export async function resendEvent(
  follower: PaymentFollower,
  orderId: string,
  eventId: string,
): Promise<Payment> {
  for (;;) {
    const payment = await follower.find(eventId.slice(PREFIX.length));
    // The store also finds payments by identifier.
    const isFound = payment !== undefined && eventIdOf(payment) === eventId;
    if (!isFound || payment.order?.orderId !== orderId || payment.delivery === null) {
      throw new ServiceError(
        'EVENT_NOT_FOUND',
        'The order has no event with this id: list its events with GET /v1/payments/{id}/events',
      );
    }
    const due = await follower.redeliver(payment);
    if (due !== undefined) return due;
  }
}
