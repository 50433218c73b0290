import type { JsonObject } from '../../service/input/json-object.ts';
import type { SettleResponse } from '../settle-response.ts';
import { canonicalize } from '../../service/input/canonicalize.ts';

/** x402 extension for signed terms and receipts from resource servers (extension-offer-and-receipt 0.6). */
const OFFER_RECEIPT = 'offer-receipt';

/** Version of the signed payloads (sections 4.2 and 5.2). */
const PAYLOAD_VERSION = 1;

/** Returns the schema of a signed object, as in the examples of section 6. */
const signed = (properties: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { format: { type: 'string', const: 'jws' }, ...properties, signature: { type: 'string' } },
  required: ['format', 'signature'],
});
const OFFERS = { type: 'array', items: signed({ acceptIndex: { type: 'integer' } }) };
const RECEIPT = signed();

/** Signs a text as a compact JWS. */
export type SignJws = (payload: string) => string;

/**
 * Signs the terms of a sale, and returns the `extensions` for the `PaymentRequired` response.
 *
 * @param accepts the x402 payment requirements. Each one gets an offer.
 * @param validUntilMs Unix ms.
 */
export function signOffers(
  signJws: SignJws,
  resourceUrl: string,
  accepts: readonly JsonObject[],
  validUntilMs: number,
): JsonObject {
  const validUntil = toSeconds(validUntilMs);
  const offers = accepts.map(({ scheme, network, asset, payTo, amount }, acceptIndex) => {
    const payload = { resourceUrl, scheme, network, asset, payTo, amount, validUntil };
    return { acceptIndex, ...sign(signJws, payload) };
  });
  return extension('offers', offers, OFFERS);
}

/**
 * Signs the receipt of a sale, and returns the `extensions` for its `SettleResponse`. The receipt does not
 * contain the transaction, so a payer can show it without linking it to a payment (section 11).
 *
 * @param issuedAtMs Unix ms.
 */
export function signReceipt(
  signJws: SignJws,
  resourceUrl: string,
  { network, payer = '' }: Pick<SettleResponse, 'network' | 'payer'>,
  issuedAtMs: number,
): JsonObject {
  const payload = { network, resourceUrl, payer, issuedAt: toSeconds(issuedAtMs) };
  return extension('receipt', sign(signJws, payload), RECEIPT);
}

const sign = (signJws: SignJws, payload: JsonObject) => ({
  format: 'jws',
  signature: signJws(canonicalize({ version: PAYLOAD_VERSION, ...payload })),
});

const extension = (name: string, value: unknown, schema: JsonObject): JsonObject => ({
  [OFFER_RECEIPT]: {
    info: { [name]: value },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { [name]: schema },
      required: [name],
    },
  },
});

const toSeconds = (ms: number): number => Math.floor(ms / 1_000);
