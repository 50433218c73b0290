import { hkdfSync } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Clusters } from '../chain/clusters.ts';
import { Access } from '../checkout/access.ts';
import { Checkout } from '../checkout/checkout.ts';
import { Merchants } from '../checkout/merchants.ts';
import { CHECKOUT_SCHEMES, createCheckoutPaths } from '../checkout/openapi-paths.ts';
import { createPageRoutes } from '../checkout/page-routes.ts';
import { forCalls } from '../checkout/record-store.ts';
import { Refunds } from '../checkout/refunds.ts';
import { CHECKOUT_CALLS, createCheckoutRoutes } from '../checkout/routes.ts';
import { TransferSender } from '../checkout/transfer-sender.ts';
import { WebhookSender } from '../checkout/webhooks.ts';
import type { Config } from '../config/config.ts';
import type { Registry, Sample } from '../metrics/registry.ts';
import { systemClock } from '../ports/clock.ts';
import { systemTimer } from '../ports/timer.ts';
import { readPage } from '../service/page-files.ts';
import type { ServiceExtension } from '../service/service-handler.ts';
import type { PaymentFollower } from '../settlement/payment-follower.ts';
import type { Ports } from './node.ts';
import type { SharedState } from './shared-state.ts';

/** The build folder of the payment page. Its relative path is the same from the sources and the bundle. */
const PAGE_FOLDER = fileURLToPath(new URL('../../dist/pay', import.meta.url));

interface CheckoutOptions {
  readonly config: Pick<
    Config,
    'checkoutMerchants' | 'checkoutMints' | 'checkoutSecret' | 'publicUrl' | 'webhookOrigins'
  >;
  readonly clusters: Clusters;
  readonly ports: Pick<Ports, 'logger' | 'random'>;
  readonly shared: Pick<SharedState, 'links' | 'merchants' | 'orders' | 'payments'>;
  /** Follows the payments. The caller starts and stops it. */
  readonly follower: PaymentFollower;
  readonly registry: Registry;
}

/** The merchant API, and the sender of events to merchants. */
interface OpenedCheckout extends ServiceExtension {
  /** Null without `WEBHOOK_ORIGINS`. */
  readonly webhooks: WebhookSender | null;
}

/** Opens the merchant API; null without `CHECKOUT_SECRET`. */
export function openCheckout(options: CheckoutOptions): OpenedCheckout | null {
  const { config, clusters, ports, shared, follower } = options;
  if (config.checkoutSecret === null) return null;
  const secret = config.checkoutSecret.reveal();
  const keyFor = (use: string): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', use, 32));
  // Real time, because the clock of a localnet may stand still.
  const clock = systemClock;
  const orders = forCalls(shared.orders, ports.logger);
  const sender = new TransferSender(follower, clock);
  const checkout = new Checkout({
    orders,
    links: forCalls(shared.links, ports.logger),
    follower,
    sender,
    clusters,
    mints: config.checkoutMints,
    secret: keyFor('tokens of orders'),
    clock,
  });
  const merchants = new Merchants({
    store: forCalls(shared.merchants, ports.logger),
    secret: keyFor('challenges and webhooks'),
    allowed: config.checkoutMerchants,
    webhookOrigins: config.webhookOrigins,
    clock,
    random: ports.random,
  });
  return {
    webhooks: openWebhooks(options, checkout, merchants),
    calls: CHECKOUT_CALLS,
    routes: [
      ...createCheckoutRoutes({
        checkout,
        refunds: new Refunds({ orders, follower, sender, clusters, clock }),
        follower,
        merchants,
        clusters,
        access: new Access(checkout, merchants),
        clock,
        publicOrigin: config.publicUrl ?? undefined,
      }),
      ...createPageRoutes(readPage(PAGE_FOLDER, ports.logger)),
    ],
    paths: createCheckoutPaths(),
    securitySchemes: CHECKOUT_SCHEMES,
  };
}

/** Creates the sender of events; null without `WEBHOOK_ORIGINS`, because no merchant can then have a URL. */
function openWebhooks(
  { config, ports, shared, registry }: CheckoutOptions,
  checkout: Checkout,
  merchants: Merchants,
): WebhookSender | null {
  if (config.webhookOrigins.length === 0) return null;
  const webhooks = new WebhookSender({
    payments: shared.payments,
    checkout,
    merchants,
    fetch: globalThis.fetch,
    clock: systemClock,
    timer: systemTimer,
    random: ports.random,
    logger: ports.logger,
  });
  registry.counter(
    'webhook_attempts_total',
    'Attempts by this process to send an event to a merchant, by outcome. Failed attempts are retried.',
    () => Object.entries(webhooks.counts).map(([outcome, count]): Sample => [{ outcome }, count]),
  );
  return webhooks;
}
