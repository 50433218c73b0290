import { ERROR_CODES } from '../errors/codes.ts';
import { isServiceError } from '../errors/service-error.ts';
import { BODIES, CREDENTIALS, readInput } from './input.ts';
import { clusterOf, orderClusters } from './order.ts';
import { payHandler } from './pay.ts';
import { decodeJson, encodeJson } from './protocol-header.ts';
import {
  detailsOf,
  type Hints,
  networkOf,
  type ProtocolTerms,
  requireSame,
  termsOf,
  withoutHints,
} from './protocol-terms.ts';
import type { CheckoutRouteParts } from './routes.ts';
import { type CheckoutCall, type CheckoutHandlers, json } from './serve.ts';

/** Version of x402. */
const VERSION = 2;
const SCHEME = 'exact-magicblock';
const SETTLEMENT = 'ephemeral-rollup';
const PAYMENT_FLOW = 'upfront';

/** `maxTimeoutSeconds` of a requirement, as in the hosted API. */
const TIMEOUT_SECONDS = 60;

/** Creates the handlers for x402: the payment of an order, and a facilitator for its merchant. */
export function x402Handlers(parts: CheckoutRouteParts): CheckoutHandlers {
  const { access, checkout, clusters } = parts;
  /** Reads a payment for an order of the calling merchant. */
  const open = async ({ context, body, origin }: CheckoutCall) => {
    const { paymentPayload, paymentRequirements } = readInput(BODIES.x402, body);
    const payment = readPayment(paymentPayload, 'paymentPayload');
    const { paymentId, transaction } = payment.payload;
    const found = await access.ownOrder(context, paymentId);
    const requireTerms = (): void => {
      const terms = termsOf(parts, found, origin);
      requireOffered(payment, terms);
      requireRequirement(paymentRequirements, terms, 'paymentRequirements');
    };
    return { found, transaction, requireTerms };
  };
  return {
    'POST /v1/x402/payments/{id}/pay': payHandler(parts, {
      name: 'x402',
      demand: (terms, hints) => {
        const accepts = [requirementOf(terms, hints)];
        const body = { x402Version: VERSION, resource: resourceOf(terms), accepts };
        return { headers: ['payment-required', encodeJson(body, 'base64')], body };
      },
      read: (header, terms) => {
        const payment = readPayment(header, 'PAYMENT-SIGNATURE');
        requireOffered(payment, terms);
        return payment.payload;
      },
      receipt: (terms) => ['payment-response', encodeJson(settlementOf(terms), 'base64')],
    }),
    'GET /v1/x402/supported': async () => {
      const kinds = orderClusters(clusters)
        .filter((cluster) => clusters.resolve(clusterOf({ cluster })).rollup !== null)
        .map((cluster) => ({
          x402Version: VERSION,
          scheme: SCHEME,
          network: networkOf(clusters, cluster),
          extra: { cluster, settlement: SETTLEMENT, paymentFlow: PAYMENT_FLOW },
        }));
      return json({ kinds, extensions: ['magicblock'], signers: {} });
    },
    'POST /v1/x402/verify': async (call) => {
      const { found, transaction, requireTerms } = await open(call);
      const { payer } = found.order;
      try {
        requireTerms();
        await checkout.check(found, transaction);
        return json({ isValid: true, payer });
      } catch (error) {
        if (!isServiceError(error) || ![400, 409].includes(ERROR_CODES[error.code].http)) throw error;
        return json({ isValid: false, invalidReason: error.code, invalidMessage: error.message, payer });
      }
    },
    'POST /v1/x402/settle': async (call) => {
      const { found, transaction, requireTerms } = await open(call);
      requireTerms();
      const payment = await checkout.settle(found, transaction, call.context.gone);
      return json(settlementOf(termsOf(parts, { ...found, payment }, call.origin)));
    },
  };
}

const resourceOf = ({ shown: { resource, description } }: ProtocolTerms) => ({
  url: resource,
  ...(description !== undefined && { description }),
  mimeType: 'application/json',
});

const requirementOf = (terms: ProtocolTerms, hints?: Hints) => ({
  scheme: SCHEME,
  network: terms.network,
  amount: terms.shown.amount,
  asset: terms.shown.mint,
  payTo: terms.shown.recipient,
  maxTimeoutSeconds: TIMEOUT_SECONDS,
  extra: {
    ...detailsOf(terms),
    ...hints,
    expiresAt: terms.shown.expiresAt,
    assetTransferMethod: 'delegated-spl',
    paymentFlow: PAYMENT_FLOW,
  },
});

/** Reads a payment: an object, or base64 text. */
function readPayment(given: unknown, name: string) {
  const value = typeof given === 'string' ? decodeJson(given, 'base64', name) : given;
  return readInput(CREDENTIALS.x402, value, 'INVALID_PAYMENT_CREDENTIAL');
}

/** @throws {ServiceError} INVALID_PAYMENT_CREDENTIAL if a payment has different terms. */
function requireOffered({ accepted, resource }: ReturnType<typeof readPayment>, terms: ProtocolTerms): void {
  requireRequirement(accepted, terms, 'accepted');
  requireSame(resource, resourceOf(terms), 'resource');
}

const requireRequirement = (given: unknown, terms: ProtocolTerms, name: string): void =>
  requireSame(withoutHints(given, 'extra'), requirementOf(terms), name);

/** Returns the `SettleResponse` of x402. */
const settlementOf = ({ shown, network }: ProtocolTerms) => ({
  success: shown.status === 'paid',
  transaction: shown.signature ?? '',
  network,
  payer: shown.payer,
  ...(shown.status === 'paid'
    ? { amount: shown.amount }
    : { errorReason: shown.status === 'pending' ? 'settlement_pending' : `payment_${shown.status}` }),
  extensions: {
    magicblock: {
      info: { paymentId: shown.id, settlement: SETTLEMENT },
      schema: {
        type: 'object',
        properties: { paymentId: { type: 'string' }, settlement: { const: SETTLEMENT } },
        required: ['paymentId', 'settlement'],
      },
    },
  },
});
