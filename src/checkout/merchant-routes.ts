import { ServiceError } from '../errors/service-error.ts';
import { formatTime } from '../ports/clock.ts';
import { BODIES, readInput } from './input.ts';
import { type PaymentLink, showNewOrder, showTerms } from './order.ts';
import { writeReceipts } from './receipts.ts';
import type { CheckoutRouteParts } from './routes.ts';
import { type CheckoutHandlers, json, queryOf } from './serve.ts';

/** Maximum number of concurrent exports. Each reads up to 10,000 orders, and must not delay payments. */
const EXPORTS_MAX = 4;

/** Creates the handlers for merchants: registration, API keys, webhooks and receipts. */
export function merchantHandlers({
  access,
  checkout,
  refunds,
  merchants,
}: CheckoutRouteParts): CheckoutHandlers {
  /** The merchants with an export in progress. */
  const exporting = new Set<string>();
  return {
    'POST /v1/merchants/challenge': async ({ body, origin }) => {
      const { wallet, purpose } = readInput(BODIES.challenge, body);
      return json(merchants.challenge(wallet, purpose, origin));
    },
    'POST /v1/merchants': async ({ body, origin }) =>
      json(await merchants.register(readInput(BODIES.proof, body), origin)),
    'POST /v1/merchants/rotate-key': async ({ body, origin }) =>
      json(await merchants.rotateKey(readInput(BODIES.proof, body), origin)),
    'POST /v1/merchants/webhook': async ({ context, body }) => {
      const merchant = await access.merchant(context);
      const changed = await merchants.setWebhook(merchant, readInput(BODIES.webhook, body).url);
      return json({ url: changed.webhookUrl, secret: merchants.webhookSecretOf(changed) });
    },
    'GET /v1/receipts': async ({ context }) => {
      const { id } = await access.merchant(context);
      if (exporting.has(id) || exporting.size >= EXPORTS_MAX) {
        throw new ServiceError('SERVICE_BUSY', 'Other exports are in progress; try again in a second');
      }
      exporting.add(id);
      try {
        return await writeReceipts({ checkout, refunds }, id, queryOf(context));
      } finally {
        exporting.delete(id);
      }
    },
  };
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Creates the handlers for payment links. */
export function linkHandlers({ access, checkout, clock }: CheckoutRouteParts): CheckoutHandlers {
  return {
    'POST /v1/payment-links': async ({ context, body, origin }) => {
      const { id } = await access.merchant(context);
      const link = await checkout.createLink(id, readInput(BODIES.link, body));
      const place = `${link.owner}/${link.id}`;
      return json({
        link: showLink(link),
        url: `${origin}/v1/payment-links/${place}`,
        pageUrl: `${origin}/pay/${place}`,
      });
    },
    'GET /v1/payment-links/{merchantId}/{linkId}': async ({ context }) => {
      const [merchant = '', id = ''] = context.variables;
      return json(showLink(await checkout.findLink(merchant, id)));
    },
    'POST /v1/payment-links/{merchantId}/{linkId}/checkouts': async ({ context, body, origin }) => {
      const { payer } = readInput(BODIES.payer, body);
      const key = context.headers['idempotency-key'];
      if (typeof key !== 'string' || !UUID_V4.test(key)) {
        throw new ServiceError(
          'INVALID_REQUEST',
          'Idempotency-Key: must be a random UUID (version 4); keep it secret, and send it again to get the same order',
        );
      }
      const [merchant = '', id = ''] = context.variables;
      const link = await checkout.findLink(merchant, id);
      return json(
        await showNewOrder(await checkout.useLink(link, payer, key, origin), checkout, origin, clock.now()),
      );
    },
  };
}

function showLink(link: PaymentLink): object {
  return {
    id: link.id,
    ...showTerms(link),
    expiresInSeconds: link.expiresInSeconds,
    merchantId: link.owner,
    recipient: link.owner,
    createdAt: formatTime(link.createdMs),
  };
}
