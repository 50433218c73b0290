import type { z } from 'zod';
import type { JsonObject } from '../service/input/json-object.ts';
import { writeInputSchema, writeOutputSchema } from '../service/input/json-schema.ts';
import { BODIES, LIST_QUERY } from './input.ts';
import { ANSWERS } from './openapi-schemas.ts';
import { RECEIPTS_QUERY } from './receipts.ts';

/** The callers that may make a call. */
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
  readonly result: z.ZodType;
  /** Whether the response can also be CSV. */
  readonly isExport?: boolean;
  /** Whether the call sends a transaction, so that its outcome can also be pending or failed. */
  readonly sends?: boolean;
  /** The terms that the 402 response contains. */
  readonly demand?: z.ZodType;
}

const header = (name: string, required: boolean, description: string, format?: string): JsonObject => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...(format !== undefined && { format }) },
});

/** The calls by method and path. */
const DESCRIBED: Readonly<Record<string, DescribedCall>> = {
  'POST /v1/merchants/challenge': {
    id: 'challengeMerchant',
    summary: 'Get the text that a wallet signs to register as a merchant, or to replace its API key',
    caller: 'anyone',
    body: BODIES.challenge,
    answer: 'The challenge.',
    result: ANSWERS.challenge,
  },
  'POST /v1/merchants': {
    id: 'registerMerchant',
    summary: 'Register a merchant',
    caller: 'anyone',
    body: BODIES.proof,
    answer: 'The API key, which is shown once, and the secret that signs webhooks.',
    result: ANSWERS.key,
  },
  'POST /v1/merchants/rotate-key': {
    id: 'rotateMerchantKey',
    summary: 'Replace the API key of a merchant',
    description:
      'The challenge must have the purpose rotate-key. The old key and the old webhook secret stop working immediately.',
    caller: 'anyone',
    body: BODIES.proof,
    answer: 'The new API key and the new secret that signs webhooks.',
    result: ANSWERS.key,
  },
  'POST /v1/merchants/webhook': {
    id: 'setWebhook',
    summary: 'Set the URL that receives the events of a merchant',
    caller: 'merchant',
    body: BODIES.webhook,
    answer: 'The URL, and the secret that signs the events (Standard Webhooks).',
    result: ANSWERS.webhook,
  },
  'POST /v1/payments': {
    id: 'createOrder',
    summary: 'Create an order',
    description: 'A second call with the same externalReference returns the same order.',
    caller: 'merchant',
    body: BODIES.order,
    answer: 'The order, its access token for the payer, and its URLs.',
    result: ANSWERS.newOrder,
  },
  'GET /v1/payments': {
    id: 'listOrders',
    summary: 'List the orders of a merchant, newest first',
    caller: 'merchant',
    query: LIST_QUERY,
    answer: 'A page of orders, and whether there may be more.',
    result: ANSWERS.orders,
  },
  'GET /v1/payments/{id}': {
    id: 'getOrder',
    summary: 'Read an order with its refunds',
    caller: 'merchant or payer',
    answer: 'The order.',
    result: ANSWERS.orderWithRefunds,
  },
  'POST /v1/payments/{id}/prepare': {
    id: 'prepareOrder',
    summary: 'Build the transaction that pays an order',
    description: 'Each call returns a transaction on a new blockhash. Nothing is stored.',
    caller: 'merchant or payer',
    body: BODIES.prepare,
    answer: 'The unsigned transaction, and its explanation if you request it.',
    result: ANSWERS.preparedOrder,
  },
  'POST /v1/payments/{id}/settle': {
    id: 'settleOrder',
    summary: 'Send the signed transaction that pays an order',
    description: 'Stores the transaction, sends it to the rollup, and waits up to 10 s for its outcome.',
    caller: 'merchant or payer',
    body: BODIES.transaction,
    answer: 'The order.',
    result: ANSWERS.order,
    sends: true,
  },
  'POST /v1/payments/{id}/refunds': {
    id: 'createRefund',
    summary: 'Create a refund and build its transaction',
    description:
      'A second call with the same reference returns the same refund, with a new transaction unless one is already signed.',
    caller: 'merchant',
    body: BODIES.refund,
    headers: [
      header(
        'Rollup-Authorization',
        false,
        'The token of the merchant for the rollup, as "Bearer <token>". With it, the explanation includes a simulation.',
      ),
    ],
    answer: 'The refund, the unsigned transaction, and its explanation.',
    result: ANSWERS.newRefund,
  },
  'POST /v1/payments/{id}/refunds/{refundId}/settle': {
    id: 'settleRefund',
    summary: 'Send the signed transaction of a refund',
    caller: 'merchant',
    body: BODIES.transaction,
    answer: 'The refund.',
    result: ANSWERS.refund,
    sends: true,
  },
  'GET /v1/payments/{id}/events': {
    id: 'listEvents',
    summary: 'List the events about an order and its refunds, with their delivery',
    caller: 'merchant',
    answer: 'The events.',
    result: ANSWERS.events,
  },
  'POST /v1/payments/{id}/events/{eventId}/resend': {
    id: 'resendEvent',
    summary: 'Send an event again',
    description: 'The event keeps its id and its body, and its retries start again.',
    caller: 'merchant',
    body: BODIES.none,
    answer: 'The event.',
    result: ANSWERS.event,
  },
  'GET /v1/receipts': {
    id: 'exportReceipts',
    summary: 'Export settled payments and refunds as JSON or CSV',
    description:
      'If there are more orders than one response covers, its Link header (rel="next") has the URL of the rest.',
    caller: 'merchant',
    query: RECEIPTS_QUERY,
    answer: 'The receipts, as JSON or CSV.',
    result: ANSWERS.receipts,
    isExport: true,
  },
  'POST /v1/x402/payments/{id}/pay': {
    id: 'payOrderByX402',
    summary: 'Pay an order with x402 (version 2, scheme exact-magicblock)',
    description:
      'The terms in the 402 response are also in the PAYMENT-REQUIRED header. The outcome of a payment is in the PAYMENT-RESPONSE header.',
    caller: 'merchant or payer',
    headers: [
      header(
        'PAYMENT-SIGNATURE',
        false,
        'The x402 PaymentPayload, as base64 of JSON. Without it, the response is 402.',
      ),
    ],
    answer: 'The order.',
    result: ANSWERS.order,
    sends: true,
    demand: ANSWERS.x402Terms,
  },
  'GET /v1/x402/supported': {
    id: 'listX402Kinds',
    summary: 'List the clusters on which orders can be paid with x402',
    caller: 'anyone',
    answer: 'The kinds of payment.',
    result: ANSWERS.kinds,
  },
  'POST /v1/x402/verify': {
    id: 'verifyX402Payment',
    summary: 'Check an x402 payment for an order, without storing or sending it',
    caller: 'merchant',
    body: BODIES.x402,
    answer: 'Whether the payment is valid, and the reason if it is not.',
    result: ANSWERS.verdict,
  },
  'POST /v1/x402/settle': {
    id: 'settleX402Payment',
    summary: 'Send an x402 payment for an order',
    caller: 'merchant',
    body: BODIES.x402,
    answer: 'The outcome, with errorReason settlement_pending if it is not known yet.',
    result: ANSWERS.settlement,
  },
  'POST /v1/mpp/payments/{id}/pay': {
    id: 'payOrderByMpp',
    summary: 'Pay an order with MPP (method magicblock, intent charge)',
    description:
      'The challenge in the 402 response is also in WWW-Authenticate. If the order is paid, the response has a Payment-Receipt header.',
    caller: 'merchant or payer',
    headers: [
      header(
        'Payment-Authorization',
        false,
        'The MPP credential: "Payment" followed by base64url of JSON. Without it, the response is 402.',
      ),
    ],
    answer: 'The order.',
    result: ANSWERS.order,
    sends: true,
    demand: ANSWERS.mppTerms,
  },
  'POST /v1/payment-links': {
    id: 'createPaymentLink',
    summary: 'Create a link with which any wallet can create an order',
    caller: 'merchant',
    body: BODIES.link,
    answer: 'The link.',
    result: ANSWERS.newLink,
  },
  'GET /v1/payment-links/{merchantId}/{linkId}': {
    id: 'getPaymentLink',
    summary: 'Read a payment link',
    caller: 'anyone',
    answer: 'The link.',
    result: ANSWERS.link,
  },
  'POST /v1/payment-links/{merchantId}/{linkId}/checkouts': {
    id: 'usePaymentLink',
    summary: 'Create an order for a payer from a payment link',
    caller: 'anyone',
    body: BODIES.payer,
    headers: [
      header(
        'Idempotency-Key',
        true,
        'A random UUID (version 4). Keep it secret, and send it again to get the same order.',
        'uuid',
      ),
    ],
    answer: 'The order, its access token for the payer, and its URLs.',
    result: ANSWERS.newOrder,
  },
};

/** The security schemes of the API. */
export const CHECKOUT_SCHEMES: JsonObject = {
  merchantKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of a merchant. It also requires the X-Merchant-Id header.',
  },
  orderToken: { type: 'http', scheme: 'bearer', description: 'The access token of an order.' },
};

const SECURITY: Readonly<Record<Caller, readonly JsonObject[]>> = {
  anyone: [],
  merchant: [{ merchantKey: [] }],
  'merchant or payer': [{ merchantKey: [] }, { orderToken: [] }],
};

/** The header that contains the merchant's id, by caller. */
const MERCHANT_ID: Readonly<Record<Caller, readonly JsonObject[]>> = {
  anyone: [],
  merchant: [header('X-Merchant-Id', true, "The merchant's wallet. The bearer token is its API key.")],
  'merchant or payer': [
    header(
      'X-Merchant-Id',
      false,
      "The merchant's wallet, if the bearer token is its API key. Omit it with the access token of an order.",
    ),
  ],
};

const PROBLEM: JsonObject = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
};

const FAILURES: JsonObject = {
  '4XX': {
    description: 'The call was rejected. code identifies the reason, and detail says what to change.',
    content: PROBLEM,
  },
  '5XX': { description: 'A ledger or the store is not available; try again.', content: PROBLEM },
};

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
  const { id, summary, description, caller, body, query, headers = [] } = call;
  const parameters = [...pathParameters(path), ...queryParameters(query), ...MERCHANT_ID[caller], ...headers];
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
    responses: { ...describeAnswers(call), ...FAILURES },
  };
}

const jsonOf = (schema: z.ZodType): JsonObject => ({
  'application/json': { schema: writeOutputSchema(schema) },
});

function describeAnswers({
  answer,
  result,
  sends = false,
  demand,
  isExport = false,
}: DescribedCall): JsonObject {
  const content = jsonOf(result);
  return {
    200: {
      description: sends ? `${answer} It is paid.` : answer,
      content: { ...content, ...(isExport && { 'text/csv': { schema: { type: 'string' } } }) },
    },
    ...(sends && {
      202: {
        description: 'The outcome is not known yet: read the order, or send the same transaction again.',
        content,
      },
      409: {
        description: 'The payment failed, or the call was rejected in the current state (a problem).',
        content: { ...content, ...PROBLEM },
      },
    }),
    ...(demand && {
      402: { description: 'The terms, if the call has no payment.', content: jsonOf(demand) },
    }),
  };
}

/** Descriptions of path variables. */
const VARIABLES: Readonly<Record<string, string>> = {
  id: 'The id of the order.',
  refundId: 'The id of the refund.',
  eventId: 'The id of the event.',
  merchantId: 'The wallet of the merchant.',
  linkId: 'The id of the payment link.',
};

const pathParameters = (path: string): JsonObject[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: VARIABLES[name],
    schema: { type: 'string' },
  }));

function queryParameters(query: z.ZodType | undefined): JsonObject[] {
  if (query === undefined) return [];
  return Object.entries(writeInputSchema(query).properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }));
}
