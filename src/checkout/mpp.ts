import { CREDENTIALS, readInput } from './input.ts';
import { payHandler } from './pay.ts';
import { decodeJson, encodeJson, invalidCredential } from './protocol-header.ts';
import { detailsOf, type Hints, type ProtocolTerms, requireSame, withoutHints } from './protocol-terms.ts';
import type { CheckoutRouteParts } from './routes.ts';
import type { CheckoutHandlers } from './serve.ts';

const METHOD = 'magicblock';

/** The header for payments, because `Authorization` contains the token of the order. */
const HEADER = 'Payment-Authorization';

/** Creates the handlers for MPP ("Payment" HTTP authentication). */
export function mppHandlers(parts: CheckoutRouteParts): CheckoutHandlers {
  return {
    'POST /v1/mpp/payments/{id}/pay': payHandler(parts, {
      name: 'mpp',
      demand: (terms, hints) => {
        const { request, ...parameters } = challengeOf(terms, hints);
        const challenge = { ...parameters, request: encodeJson(request, 'base64url') };
        return {
          headers: ['www-authenticate', writeChallenge(challenge)],
          body: { paymentId: terms.shown.id, challenge },
        };
      },
      read: readPayment,
      receipt: receiptHeaders,
    }),
  };
}

function challengeOf(terms: ProtocolTerms, hints?: Hints) {
  const { realm, network, shown } = terms;
  const { description, requestHash } = shown;
  return {
    id: shown.id,
    realm,
    method: METHOD,
    intent: 'charge',
    request: {
      amount: shown.amount,
      currency: shown.mint,
      recipient: shown.recipient,
      externalId: shown.externalReference,
      ...(description !== undefined && { description }),
      methodDetails: { ...detailsOf(terms), ...hints, network },
    },
    expires: shown.expiresAt,
    header: HEADER,
    ...(requestHash !== undefined && {
      digest: `sha-256=:${Buffer.from(requestHash, 'hex').toString('base64')}:`,
    }),
  };
}

/** Writes the parameters of a challenge. No parameter contains a quote or a backslash. */
const writeChallenge = (parameters: Readonly<Record<string, string>>): string =>
  `Payment ${Object.entries(parameters)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;

function readPayment(header: string, terms: ProtocolTerms) {
  const [, encoded] = /^payment +(\S+) *$/i.exec(header) ?? [];
  if (encoded === undefined) throw invalidCredential(`${HEADER} must be "Payment" and one base64url text`);
  const decoded = decodeJson(encoded, 'base64url', HEADER);
  const { challenge, payload } = readInput(CREDENTIALS.mpp, decoded, 'INVALID_PAYMENT_CREDENTIAL');
  const request = decodeJson(challenge.request, 'base64url', 'challenge.request');
  const given = { ...challenge, request: withoutHints(request, 'methodDetails') };
  requireSame(given, challengeOf(terms), 'challenge');
  return payload;
}

/** Returns the header with the receipt of an order; no header if it is not paid. */
function receiptHeaders({ shown }: ProtocolTerms): readonly string[] {
  if (shown.status !== 'paid') return [];
  const receipt = {
    status: 'success',
    method: METHOD,
    timestamp: shown.confirmedAt,
    reference: shown.signature,
    paymentId: shown.id,
    settlement: shown.settlement,
  };
  return ['payment-receipt', encodeJson(receipt, 'base64url')];
}
