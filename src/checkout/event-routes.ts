import { resendEvent, showEvents } from './events.ts';
import { BODIES, readInput } from './input.ts';
import type { CheckoutRouteParts } from './routes.ts';
import { type CheckoutHandlers, json } from './serve.ts';

/** Creates the handlers for events about orders and refunds. */
export function eventHandlers({ access, refunds, follower }: CheckoutRouteParts): CheckoutHandlers {
  return {
    'GET /v1/payments/{id}/events': async ({ context }) => {
      const { order, payment } = await access.ownOrder(context);
      const refunded = await Promise.all(order.refunds.map(({ id }) => refunds.paymentOf(id)));
      return json({ data: showEvents([payment, ...refunded]) });
    },
    'POST /v1/payments/{id}/events/{eventId}/resend': async ({ context, body }) => {
      readInput(BODIES.none, body);
      const { order } = await access.ownOrder(context);
      const [, eventId = ''] = context.variables;
      const [event] = showEvents([await resendEvent(follower, order.id, eventId)]);
      return json(event as object);
    },
  };
}
