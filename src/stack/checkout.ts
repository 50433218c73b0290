import { hkdfSync } from 'node:crypto';
import type { Clusters } from '../chain/clusters.ts';
import { Access } from '../checkout/access.ts';
import { Checkout } from '../checkout/checkout.ts';
import { Merchants } from '../checkout/merchants.ts';
import { CHECKOUT_SCHEMES, createCheckoutPaths } from '../checkout/openapi-paths.ts';
import { Refunds } from '../checkout/refunds.ts';
import { CHECKOUT_CALLS, createCheckoutRoutes } from '../checkout/routes.ts';
import { TransferSender } from '../checkout/transfer-sender.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../ports/clock.ts';
import type { ServiceExtension } from '../service/service-handler.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { Ports } from './node.ts';
import type { SharedState } from './shared-state.ts';

interface CheckoutOptions {
  readonly config: Pick<
    Config,
    'checkoutMerchants' | 'checkoutMints' | 'checkoutSecret' | 'publicUrl' | 'webhookOrigins'
  >;
  readonly clusters: Clusters;
  readonly ports: Pick<Ports, 'random'>;
  readonly shared: Pick<SharedState, 'links' | 'merchants' | 'orders'>;
  /** Follows the payments. It is started and stopped elsewhere. */
  readonly follower: PaymentFollower;
}

/** Opens the API of merchants; null without `CHECKOUT_SECRET`. */
export function openCheckout({
  config,
  clusters,
  ports,
  shared,
  follower,
}: CheckoutOptions): ServiceExtension | null {
  if (config.checkoutSecret === null) return null;
  const secret = config.checkoutSecret.reveal();
  const keyFor = (use: string): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', use, 32));
  // Real time, because the clock of a localnet may stand still.
  const clock = systemClock;
  const { orders } = shared;
  const sender = new TransferSender(follower, clock);
  const checkout = new Checkout({
    orders,
    links: shared.links,
    follower,
    sender,
    clusters,
    mints: config.checkoutMints,
    secret: keyFor('tokens of orders'),
    clock,
  });
  const merchants = new Merchants({
    store: shared.merchants,
    secret: keyFor('challenges and webhooks'),
    allowed: config.checkoutMerchants,
    webhookOrigins: config.webhookOrigins,
    clock,
    random: ports.random,
  });
  return {
    calls: CHECKOUT_CALLS,
    routes: createCheckoutRoutes({
      checkout,
      refunds: new Refunds({ orders, follower, sender, clusters, clock }),
      merchants,
      access: new Access(checkout, merchants),
      clock,
      publicOrigin: config.publicUrl ?? undefined,
      clusters,
    }),
    paths: createCheckoutPaths(),
    securitySchemes: CHECKOUT_SCHEMES,
  };
}
