import type { JsonObject } from '../service/input/json-object.ts';

const object = (...required: string[]): JsonObject => ({ type: 'object', required });

const jsonOf = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

const TAGS = ['x402'];

const REQUEST = {
  required: true,
  ...jsonOf({
    type: 'object',
    properties: {
      x402Version: { enum: [1, 2] },
      paymentPayload: {
        type: 'object',
        description: "The payer's payment, from the header PAYMENT-SIGNATURE.",
      },
      paymentRequirements: { type: 'object', description: 'The requirement of the resource server.' },
    },
    required: ['paymentPayload', 'paymentRequirements'],
  }),
};

const VERDICT = jsonOf({
  type: 'object',
  properties: {
    isValid: { type: 'boolean' },
    invalidReason: { type: 'string' },
    invalidMessage: { type: 'string' },
    payer: { type: 'string' },
  },
  required: ['isValid'],
});

const SETTLEMENT = jsonOf({
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    errorReason: { type: 'string' },
    errorMessage: { type: 'string' },
    payer: { type: 'string' },
    transaction: { type: 'string', description: 'The signature, base58; empty if nothing was sent.' },
    network: { type: 'string' },
    amount: { type: 'string', description: 'Base units.' },
  },
  required: ['success', 'transaction', 'network'],
});

const PAYMENT = jsonOf({
  type: 'object',
  properties: {
    id: { type: 'string' },
    state: { enum: ['pending', 'settled', 'failed', 'expired'] },
    transaction: { type: 'string' },
    network: { type: 'string' },
    ledger: { enum: ['base', 'rollup'] },
    asset: { type: 'string' },
    amount: { type: 'string' },
    slot: { type: ['integer', 'null'] },
    isReleased: { type: 'boolean', description: 'Whether /x402/settle has reported the success.' },
    createdMs: { type: 'integer', description: 'Unix time of the signature, in ms.' },
  },
  required: ['state'],
});

const PROBLEM = { content: { 'application/problem+json': { schema: object('code', 'detail') } } };

const BUSY = {
  429: { description: 'The rate limit of this client address is reached.', ...PROBLEM },
  503: { description: 'The store or a ledger is not available. Try again after Retry-After.', ...PROBLEM },
};

/** The OpenAPI path items of the facilitator. */
export const FACILITATOR_PATHS: JsonObject = {
  '/x402/verify': {
    post: {
      operationId: 'verifyPayment',
      summary: 'Verify an x402 payment',
      description: 'Checks a payment against its requirement and the ledger. Signs and sends nothing.',
      tags: TAGS,
      requestBody: REQUEST,
      responses: {
        200: { description: 'The verdict.', ...VERDICT },
        400: { description: 'The body is not an x402 request.', ...VERDICT },
        413: { description: 'The body is over 16 KiB.', ...VERDICT },
        ...BUSY,
      },
    },
  },
  '/x402/settle': {
    post: {
      operationId: 'settlePayment',
      summary: 'Settle an x402 payment',
      description:
        'Verifies a payment, signs it as the fee payer, sends it, and waits up to 10 s for its outcome. After `settlement_pending`, settle the same payment again. The success of a payment is reported once; later requests get `duplicate_settlement`.',
      tags: TAGS,
      requestBody: REQUEST,
      responses: {
        200: { description: 'The outcome, which may be a failure or pending.', ...SETTLEMENT },
        400: { description: 'The body is not an x402 request.', ...SETTLEMENT },
        409: { description: 'The payment identifier belongs to another payment.', ...SETTLEMENT },
        413: { description: 'The body is over 16 KiB.', ...SETTLEMENT },
        ...BUSY,
      },
    },
  },
  '/x402/supported': {
    get: {
      operationId: 'listSupportedPayments',
      summary: 'List the supported networks, schemes and extensions of x402',
      tags: TAGS,
      responses: {
        200: {
          description: 'What the facilitator supports.',
          ...jsonOf(object('kinds', 'extensions', 'signers')),
        },
        429: BUSY[429],
      },
    },
  },
  '/x402/payments/{id}': {
    get: {
      operationId: 'getPayment',
      summary: 'Look up an x402 payment',
      description:
        "Returns a payment by its id, the SHA-256 of the transaction's message in base64url. A payment identifier returns only the state.",
      tags: TAGS,
      parameters: [
        {
          name: 'id',
          in: 'path',
          required: true,
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{16,128}$' },
        },
      ],
      responses: {
        200: { description: 'The payment.', ...PAYMENT },
        404: { description: 'No payment has this id.', ...PROBLEM },
        ...BUSY,
      },
    },
  },
};
