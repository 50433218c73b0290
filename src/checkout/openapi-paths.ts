import type { z } from 'zod';
import type { JsonObject } from '../service/input/json-object.ts';
import { writeInputSchema } from '../service/input/json-schema.ts';
import { BODIES, LIST_QUERY } from './input.ts';
import { RECEIPTS_QUERY } from './receipts.ts';

/** Who may make a call. */
type Caller = 'anyone' | 'merchant' | 'merchant or payer';

/** The description of a call. */
interface DescribedCall {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly caller: Caller;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: readonly JsonObject[];
  /** What the response contains. */
  readonly answer: string;
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'A random UUID of version 4. Keep it secret and repeat it to get the same order again.',
  schema: { type: 'string', format: 'uuid' },
};

const PENDING =
  'The status is 200 if the payment is paid, 202 if its outcome is not known yet (read it again), and 409 if it failed.';

/** The calls by method and path. */
const DESCRIBED: Readonly<Record<string, DescribedCall>> = {
  'POST /v1/merchants/challenge': {
    id: 'challengeMerchant',
    summary: 'Get a text that a wallet signs to register as a merchant, or to replace its API key',
    caller: 'anyone',
    body: BODIES.challenge,
    answer: 'The challenge.',
  },
  'POST /v1/merchants': {
    id: 'registerMerchant',
    summary: 'Register a merchant',
    caller: 'anyone',
    body: BODIES.proof,
    answer: 'The API key, which is shown once, and the secret that signs webhooks.',
  },
  'POST /v1/merchants/rotate-key': {
    id: 'rotateMerchantKey',
    summary: 'Replace the API key of a merchant',
    description: 'The old key and the old secret of webhooks end immediately.',
    caller: 'anyone',
    body: BODIES.proof,
    answer: 'The new API key and the new secret that signs webhooks.',
  },
  'POST /v1/merchants/webhook': {
    id: 'setWebhook',
    summary: 'Set the URL that receives the events of a merchant',
    caller: 'merchant',
    body: BODIES.webhook,
    answer: 'The URL, and the secret that signs the events (Standard Webhooks).',
  },
  'POST /v1/payments': {
    id: 'createOrder',
    summary: 'Create an order',
    description: 'A second call with the same externalReference returns the same order.',
    caller: 'merchant',
    body: BODIES.order,
    answer: 'The order, its access token for the payer, and its URLs.',
  },
  'GET /v1/payments': {
    id: 'listOrders',
    summary: 'List the orders of a merchant, the newest first',
    caller: 'merchant',
    query: LIST_QUERY,
    answer: 'A page of orders, and whether there may be more.',
  },
  'GET /v1/payments/{id}': {
    id: 'getOrder',
    summary: 'Read an order with its refunds',
    caller: 'merchant or payer',
    answer: 'The order.',
  },
  'POST /v1/payments/{id}/prepare': {
    id: 'prepareOrder',
    summary: 'Build the transaction that pays an order',
    description: 'Each call returns a transaction on a new blockhash. Nothing is stored.',
    caller: 'merchant or payer',
    body: BODIES.prepare,
    answer: 'The unsigned transaction, and its explanation if you ask for it.',
  },
  'POST /v1/payments/{id}/settle': {
    id: 'settleOrder',
    summary: 'Send the signed transaction that pays an order',
    description: `Stores the transaction, sends it to the rollup, and waits up to 10 s for its outcome. ${PENDING}`,
    caller: 'merchant or payer',
    body: BODIES.transaction,
    answer: 'The order.',
  },
  'POST /v1/payments/{id}/refunds': {
    id: 'createRefund',
    summary: 'Create a refund and build its transaction',
    description:
      'A second call with the same reference returns the same refund with a new transaction, or without one after it was signed.',
    caller: 'merchant',
    body: BODIES.refund,
    answer: 'The refund, the unsigned transaction, and its explanation.',
  },
  'POST /v1/payments/{id}/refunds/{refundId}/settle': {
    id: 'settleRefund',
    summary: 'Send the signed transaction of a refund',
    description: PENDING,
    caller: 'merchant',
    body: BODIES.transaction,
    answer: 'The refund.',
  },
  'GET /v1/payments/{id}/events': {
    id: 'listEvents',
    summary: 'List the events about an order and its refunds, with their delivery',
    caller: 'merchant',
    answer: 'The events.',
  },
  'POST /v1/payments/{id}/events/{eventId}/resend': {
    id: 'resendEvent',
    summary: 'Send an event again',
    description: 'The event has the same id and the same body as before, and is retried as at first.',
    caller: 'merchant',
    body: BODIES.none,
    answer: 'The event.',
  },
  'GET /v1/receipts': {
    id: 'exportReceipts',
    summary: 'Export settled payments and refunds as JSON or CSV',
    description:
      'If there are more orders than one response covers, it has the header Link (rel="next") with the URL of the rest.',
    caller: 'merchant',
    query: RECEIPTS_QUERY,
    answer: 'The receipts.',
  },
  'POST /v1/x402/payments/{id}/pay': {
    id: 'payOrderByX402',
    summary: 'Pay an order by x402 (version 2, scheme exact-magicblock)',
    description: `Without the header PAYMENT-SIGNATURE, the response is 402 with the terms in PAYMENT-REQUIRED. The outcome of a payment is also in PAYMENT-RESPONSE. ${PENDING}`,
    caller: 'merchant or payer',
    answer: 'The order.',
  },
  'GET /v1/x402/supported': {
    id: 'listX402Kinds',
    summary: 'List the clusters on which orders can be paid by x402',
    caller: 'anyone',
    answer: 'The kinds of payments.',
  },
  'POST /v1/x402/verify': {
    id: 'verifyX402Payment',
    summary: 'Check a payment of x402 for an order, without storing or sending it',
    caller: 'merchant',
    body: BODIES.x402,
    answer: 'Whether the payment is valid, and the reason if it is not.',
  },
  'POST /v1/x402/settle': {
    id: 'settleX402Payment',
    summary: 'Send a payment of x402 for an order',
    caller: 'merchant',
    body: BODIES.x402,
    answer: 'The outcome, with errorReason settlement_pending if it is not known yet.',
  },
  'POST /v1/mpp/payments/{id}/pay': {
    id: 'payOrderByMpp',
    summary: 'Pay an order by MPP (method magicblock, intent charge)',
    description: `Without the header Payment-Authorization, the response is 402 with a challenge in WWW-Authenticate. If the order is paid, the response has a Payment-Receipt. ${PENDING}`,
    caller: 'merchant or payer',
    answer: 'The order.',
  },
  'POST /v1/payment-links': {
    id: 'createPaymentLink',
    summary: 'Create a link with which any wallet can create an order',
    caller: 'merchant',
    body: BODIES.link,
    answer: 'The link.',
  },
  'GET /v1/payment-links/{merchantId}/{linkId}': {
    id: 'getPaymentLink',
    summary: 'Read a payment link',
    caller: 'anyone',
    answer: 'The link.',
  },
  'POST /v1/payment-links/{merchantId}/{linkId}/checkouts': {
    id: 'usePaymentLink',
    summary: 'Create the order of a payer for a payment link',
    caller: 'anyone',
    body: BODIES.payer,
    headers: [IDEMPOTENCY_KEY],
    answer: 'The order, its access token for the payer, and its URLs.',
  },
};

/** The security schemes of the API. */
export const CHECKOUT_SCHEMES: JsonObject = {
  merchantKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of a merchant. The header X-Merchant-Id names its wallet.',
  },
  orderToken: { type: 'http', scheme: 'bearer', description: 'The access token of an order.' },
};

const SECURITY: Readonly<Record<Caller, readonly JsonObject[]>> = {
  anyone: [],
  merchant: [{ merchantKey: [] }],
  'merchant or payer': [{ merchantKey: [] }, { orderToken: [] }],
};

const PROBLEM: JsonObject = {
  content: { 'application/problem+json': { schema: { type: 'object', required: ['code', 'detail'] } } },
};

const FAILURES: JsonObject = {
  '4XX': { description: 'The call was not accepted; the detail says what to change.', ...PROBLEM },
  '5XX': { description: 'A ledger or the store is not available; try again.', ...PROBLEM },
};

const JSON_ANSWER: JsonObject = { 'application/json': { schema: { type: 'object' } } };

/** Creates the OpenAPI path items. */
export function createCheckoutPaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [place, call] of Object.entries(DESCRIBED)) {
    const [method = '', path = ''] = place.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(path, call) };
  }
  return paths;
}

function describe(path: string, call: DescribedCall): JsonObject {
  const { id, summary, description, caller, body, query, headers = [], answer } = call;
  const parameters = [...pathParameters(path), ...queryParameters(query), ...headers];
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: ['Merchants'],
    security: SECURITY[caller],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: writeInputSchema(body) } },
      },
    }),
    responses: { 200: { description: answer, content: JSON_ANSWER }, ...FAILURES },
  };
}

const pathParameters = (path: string): JsonObject[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(query: z.ZodType | undefined): JsonObject[] {
  if (query === undefined) return [];
  return Object.entries(writeInputSchema(query).properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}
