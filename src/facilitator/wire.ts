import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { InvalidRequest } from './refusal.ts';

/** The requirement of a resource server and the payment for it, in either version of x402. */
export interface PaymentRequest {
  readonly version: 1 | 2;
  readonly scheme: string;
  readonly network: string;
  /** Base units. */
  readonly amount: bigint;
  /** The mint. */
  readonly asset: string;
  readonly payTo: string;
  /** Members of `extra`; null if absent. */
  readonly feePayer: string | null;
  readonly memo: string | null;
  readonly settlement: string | null;
  /** The requirement that the payer accepted. */
  readonly accepted: {
    readonly scheme: string;
    readonly network: string;
    /** Whether it equals the requirement. Version 1 names only the scheme and the network. */
    readonly isRequired: boolean;
  };
  /** Base64; null if the payload has no text. */
  readonly transaction: string | null;
  /** The id of the extension `payment-identifier`; null without one. */
  readonly identifier: string | null;
}

/** The extension with which a payer chooses the id of a payment. */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

/** Maximum size of `extra.memo`, in bytes of UTF-8 (scheme_exact_svm). */
const MEMO_BYTES_MAX = 256;

const texts = (name: string) => z.string({ error: `${name} must be a string` });

const amount = (name: string) =>
  z
    .string({ error: `${name} must be a decimal string` })
    .regex(/^[0-9]{1,20}$/, { error: `${name} must be a decimal string of base units` })
    .transform(BigInt);

const extra = z
  .looseObject(
    {
      feePayer: z.unknown().optional(),
      memo: texts('extra.memo')
        .refine((text) => Buffer.byteLength(text) <= MEMO_BYTES_MAX, {
          error: `extra.memo must have at most ${MEMO_BYTES_MAX} bytes`,
        })
        .optional(),
      settlement: z.literal('private', { error: 'extra.settlement must be "private"' }).optional(),
    },
    { error: 'extra must be an object' },
  )
  .nullish();

const place = { scheme: texts('scheme'), network: texts('network') };
const terms = { ...place, asset: texts('asset'), payTo: texts('payTo'), extra };

const content = z.looseObject(
  { transaction: z.unknown().optional() },
  { error: 'paymentPayload.payload must be an object' },
);

const extensions = z
  .looseObject({
    [PAYMENT_IDENTIFIER]: z
      .looseObject({
        info: z.looseObject({
          required: z.boolean().optional(),
          id: z
            .string()
            .regex(/^[A-Za-z0-9_-]{16,128}$/, {
              error: 'the id of payment-identifier must have 16 to 128 characters of A-Z, a-z, 0-9, _ and -',
            })
            .optional(),
        }),
      })
      .refine(({ info }) => info.required !== true || info.id !== undefined, {
        error: 'the resource server requires payment-identifier: add an id',
      })
      .optional(),
  })
  .nullish();

const versioned = z.looseObject({
  x402Version: z.unknown().optional(),
  paymentPayload: z.looseObject({ x402Version: z.unknown().optional() }),
});

const requestV1 = z.looseObject({
  paymentPayload: z.looseObject({ ...place, payload: content }),
  paymentRequirements: z.looseObject({ ...terms, maxAmountRequired: amount('maxAmountRequired') }),
});

const requestV2 = z.looseObject({
  paymentPayload: z.looseObject({ accepted: z.looseObject(place), payload: content, extensions }),
  paymentRequirements: z.looseObject({ ...terms, amount: amount('amount') }),
});

/**
 * Parses the body of `/verify` and `/settle`.
 *
 * @throws {InvalidRequest} if it has another form, or another version than 1 or 2.
 */
export function parsePaymentRequest(body: unknown): PaymentRequest {
  const { x402Version, paymentPayload } = parse(versioned, body);
  const version = x402Version ?? paymentPayload.x402Version;
  if ((version !== 1 && version !== 2) || paymentPayload.x402Version !== version) {
    throw new InvalidRequest(
      'invalid_x402_version',
      'x402Version must be 1 or 2, and the same in paymentPayload',
    );
  }
  return version === 1 ? requestOfV1(parse(requestV1, body)) : requestOfV2(parse(requestV2, body), body);
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new InvalidRequest('invalid_payload', `The request is not valid: ${faults.join('; ')}`);
}

function requestOfV1({ paymentPayload, paymentRequirements }: z.infer<typeof requestV1>): PaymentRequest {
  const { scheme, network, payload } = paymentPayload;
  return {
    ...termsOf(paymentRequirements),
    version: 1,
    amount: paymentRequirements.maxAmountRequired,
    accepted: { scheme, network, isRequired: true },
    transaction: textOf(payload.transaction),
    identifier: null,
  };
}

function requestOfV2(
  { paymentPayload, paymentRequirements }: z.infer<typeof requestV2>,
  body: unknown,
): PaymentRequest {
  const { accepted, payload } = paymentPayload;
  const { paymentRequirements: required } = body as { readonly paymentRequirements: object };
  return {
    ...termsOf(paymentRequirements),
    version: 2,
    amount: paymentRequirements.amount,
    accepted: {
      scheme: accepted.scheme,
      network: accepted.network,
      isRequired: isDeepStrictEqual(withoutHints(accepted), withoutHints(required)),
    },
    transaction: textOf(payload.transaction),
    identifier: paymentPayload.extensions?.[PAYMENT_IDENTIFIER]?.info.id ?? null,
  };
}

function termsOf({ scheme, network, asset, payTo, extra: more }: z.infer<z.ZodObject<typeof terms>>) {
  const { feePayer, memo = null, settlement = null } = more ?? {};
  return { scheme, network, asset, payTo, feePayer: textOf(feePayer), memo, settlement };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Returns a requirement without the hints for building a transaction. They change with every response of a
 * resource server and do not bind the payer (scheme_exact_svm).
 */
function withoutHints(requirement: object): object {
  const { extra: more, ...rest } = requirement as { readonly extra?: Record<string, unknown> | null };
  const { recentBlockhash: _, lastValidBlockHeight: __, ...binding } = more ?? {};
  return { ...rest, extra: binding };
}
