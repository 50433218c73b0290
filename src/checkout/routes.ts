import type { Clusters } from '../chain/clusters.ts';
import type { Clock } from '../ports/clock.ts';
import type { Route } from '../service/front.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { Access } from './access.ts';
import type { Checkout } from './checkout.ts';
import { eventHandlers } from './event-routes.ts';
import { linkHandlers, merchantHandlers } from './merchant-routes.ts';
import type { Merchants } from './merchants.ts';
import { mppHandlers } from './mpp.ts';
import { orderHandlers, refundHandlers } from './order-routes.ts';
import type { Refunds } from './refunds.ts';
import { type CheckoutHandlers, routesOf } from './serve.ts';
import { x402Handlers } from './x402.ts';

/** Dependencies of the handlers. */
export interface CheckoutRouteParts {
  readonly checkout: Checkout;
  readonly refunds: Refunds;
  readonly follower: PaymentFollower;
  readonly merchants: Merchants;
  readonly clusters: Clusters;
  readonly clock: Clock;
  readonly access: Access;
  /** Public origin of the service. Default: the origin that each request was sent to. */
  readonly publicOrigin?: string | undefined;
}

/** Names of the calls by method and path, as `OnCall` reports them. */
const CALLS: Readonly<Record<string, string>> = {
  'POST /v1/merchants/challenge': 'checkout.challenge',
  'POST /v1/merchants': 'checkout.register',
  'POST /v1/merchants/rotate-key': 'checkout.rotateKey',
  'POST /v1/merchants/webhook': 'checkout.setWebhook',
  'POST /v1/payments': 'checkout.create',
  'GET /v1/payments': 'checkout.list',
  'GET /v1/payments/{id}': 'checkout.get',
  'POST /v1/payments/{id}/prepare': 'checkout.prepare',
  'POST /v1/payments/{id}/settle': 'checkout.settle',
  'POST /v1/payments/{id}/refunds': 'checkout.refund',
  'POST /v1/payments/{id}/refunds/{refundId}/settle': 'checkout.settleRefund',
  'GET /v1/payments/{id}/events': 'checkout.events',
  'POST /v1/payments/{id}/events/{eventId}/resend': 'checkout.resendEvent',
  'GET /v1/receipts': 'checkout.receipts',
  'POST /v1/x402/payments/{id}/pay': 'checkout.x402Pay',
  'GET /v1/x402/supported': 'checkout.x402Supported',
  'POST /v1/x402/verify': 'checkout.x402Verify',
  'POST /v1/x402/settle': 'checkout.x402Settle',
  'POST /v1/mpp/payments/{id}/pay': 'checkout.mppPay',
  'POST /v1/payment-links': 'checkout.createLink',
  'GET /v1/payment-links/{merchantId}/{linkId}': 'checkout.getLink',
  'POST /v1/payment-links/{merchantId}/{linkId}/checkouts': 'checkout.useLink',
};

/** The names of the calls. */
export const CHECKOUT_CALLS: readonly string[] = Object.values(CALLS);

/** Creates the routes for merchants, orders, payment links, refunds, events, and x402 and MPP payments. */
export function createCheckoutRoutes(parts: CheckoutRouteParts): readonly Route[] {
  const handlers: CheckoutHandlers = {
    ...merchantHandlers(parts),
    ...linkHandlers(parts),
    ...orderHandlers(parts),
    ...refundHandlers(parts),
    ...eventHandlers(parts),
    ...x402Handlers(parts),
    ...mppHandlers(parts),
  };
  return routesOf(handlers, CALLS, parts.publicOrigin);
}
