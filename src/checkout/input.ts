import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { address, amount, wellFormedText } from '../payments/fields/fields.ts';
import { addressBytes } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { isOnCurve } from '../solana/pda.ts';
import { isSignature, SIGNATURE_TEXT_MAX } from '../solana/signature.ts';

/*
 * The members, limits and defaults match the hosted API (its `api/src/payments/schemas.ts`), except for
 * `mint`, which the hosted API does not have.
 */

const wallet = (description: string) =>
  address(description).refine((text) => isOnCurve(addressBytes(text)), {
    error: 'must be the address of a wallet, not of a program',
  });

const text = (description: string, charactersMax: number) =>
  wellFormedText(description, charactersMax)
    .min(1, { error: 'must not be empty' })
    // PostgreSQL cannot store U+0000.
    .refine((value) => !value.includes('\0'), { error: 'must not contain U+0000' });

const URL_CHARACTERS_MAX = 2_048;

const httpUrl = (description: string) =>
  text(description, URL_CHARACTERS_MAX).refine(isHttpUrl, {
    error: 'must be an http(s) URL without a user name or password',
  });

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Time for which an order can be paid, in seconds. */
const LIFE = { min: 60, max: 86_400, standard: 3_600 };

const LIFE_RULE = `must be an integer from ${LIFE.min} to ${LIFE.max}`;

const terms = {
  externalReference: text("The merchant's own id. A second call with it returns the same object.", 128).meta({
    examples: ['order 1042'],
  }),
  amount: amount('Base units of the mint.').transform(String),
  cluster: text(
    'The cluster, with -private if both accounts must be private. Default: the private form of the first cluster.',
    64,
  ).optional(),
  mint: address('The mint. Default: USDC.').optional(),
  description: text('Shown to the payer.', 256).optional(),
  resource: httpUrl('What the payment is for, as a URL.').optional(),
  requestHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits in lower case' })
    .meta({ description: 'SHA-256 of the request that the payment is for.' })
    .optional(),
  expiresInSeconds: z
    .int(LIFE_RULE)
    .min(LIFE.min, LIFE_RULE)
    .max(LIFE.max, LIFE_RULE)
    .default(LIFE.standard)
    .meta({ description: `Time for which an order can be paid, in seconds: ${LIFE.min} to ${LIFE.max}.` }),
};

const PURPOSES = ['register', 'rotate-key'] as const;

/** The purpose of a challenge that a wallet signs. */
export type Purpose = (typeof PURPOSES)[number];

const transactionBase64 = z
  .string({ error: 'must be a base64 text' })
  .max(1_644, { error: 'must have at most 1644 characters' })
  .meta({ description: 'The signed transaction.' });

const SIGNATURE_RULE = 'must be the signature over the message of the challenge, in base64 or base58';

/** 64 bytes. */
const BASE64_SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** The payload of a payment, in either protocol. */
const proof = z.strictObject({
  paymentId: text('The id of the order.', 128),
  transaction: transactionBase64,
});

/** Schemas of payments. Members that are not validated here are compared with the terms of the order. */
export const CREDENTIALS = {
  x402: z.strictObject({
    x402Version: z.literal(2, { error: 'must be 2' }),
    resource: z.unknown(),
    accepted: z.unknown(),
    payload: proof,
  }),
  mpp: z.strictObject({
    challenge: z.looseObject({ request: z.string({ error: 'must be a string' }) }),
    payload: proof,
    source: z.string({ error: 'must be a string' }).optional(),
  }),
} as const;

/** Schemas of the request bodies. */
export const BODIES = {
  challenge: z.strictObject({
    wallet: wallet("The merchant's wallet."),
    purpose: z
      .enum(PURPOSES, { error: `must be ${PURPOSES.join(' or ')}` })
      .default('register')
      .meta({
        description: 'register for POST /v1/merchants, rotate-key for POST /v1/merchants/rotate-key.',
      }),
  }),
  proof: z.strictObject({
    wallet: wallet("The merchant's wallet."),
    challengeId: z
      .uuid({ error: 'must be the id of the challenge' })
      .meta({ description: 'The id of the challenge.', examples: ['7b0c9f52-3d8e-4a41-9c27-5e1f8a6d2b30'] }),
    signature: z
      .string({ error: SIGNATURE_RULE })
      .max(SIGNATURE_TEXT_MAX, { error: SIGNATURE_RULE })
      .refine((given) => isSignature(given) || BASE64_SIGNATURE.test(given), { error: SIGNATURE_RULE })
      .transform((given) =>
        isSignature(given) ? decodeBase58(given) : new Uint8Array(Buffer.from(given, 'base64')),
      )
      .meta({ description: 'Ed25519 signature over the message of the challenge, in base64 or base58.' }),
  }),
  webhook: z.strictObject({
    url: httpUrl('URL that receives the events; null for none.')
      .nullable()
      .meta({ examples: ['https://shop.example.com/events'] }),
  }),
  order: z.strictObject({ payer: wallet('The wallet that pays.'), ...terms }),
  link: z.strictObject(terms),
  payer: z.strictObject({ payer: wallet('The wallet that pays.') }),
  none: z.strictObject({}),
  prepare: z.strictObject({
    explain: z.boolean({ error: 'must be true or false' }).default(false).meta({
      description: 'Whether the response contains an explanation of the transaction.',
    }),
  }),
  transaction: z.strictObject({ transactionBase64 }),
  x402: z.strictObject({
    x402Version: z.literal(2, { error: 'must be 2' }),
    paymentPayload: z.unknown().meta({ description: 'The payment, from the PAYMENT-SIGNATURE header.' }),
    paymentRequirements: z.unknown().meta({ description: 'The requirement that the order offers.' }),
  }),
  refund: z.strictObject({
    reference: text("The merchant's own id. A second call with it returns the same refund.", 128).meta({
      examples: ['return 7'],
    }),
    amount: amount('Base units. Default: the amount that is not refunded yet.').transform(String).optional(),
  }),
} as const;

/** Terms of an order or a payment link. */
export type OrderInput = z.infer<typeof BODIES.link>;

const PAGE_MAX = 100;
const PAGE_RULE = `must be an integer from 1 to ${PAGE_MAX}`;

/** The query of a list. */
export const LIST_QUERY = z.strictObject({
  limit: z.coerce
    .number(PAGE_RULE)
    .int(PAGE_RULE)
    .min(1, PAGE_RULE)
    .max(PAGE_MAX, PAGE_RULE)
    .default(20)
    .meta({ description: `Maximum number of items: 1 to ${PAGE_MAX}.` }),
  after: text('The id of the last item of the previous page.', 64).optional(),
});

/**
 * Reads an input.
 *
 * @throws {ServiceError} `code` (default INVALID_REQUEST). It names each invalid member.
 */
export function readInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  code: 'INVALID_REQUEST' | 'INVALID_PAYMENT_CREDENTIAL' = 'INVALID_REQUEST',
): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const faults = issues.map(({ path, message }) => `${path.join('.') || 'The input'}: ${message}`);
  const [field] = issues.map(({ path }) => path.join('.'));
  throw new ServiceError(code, faults.join('; '), field === '' || field === undefined ? {} : { field });
}
