import type { IncomingHttpHeaders } from 'node:http';
import { writeProblemBody } from '../problem.ts';
import type { Reply } from '../reply.ts';
import type { RequestContext } from '../request-context.ts';
import { originFor } from '../request-head.ts';
import type { Challenge, Paying, PaymentDemand, PaymentOffer, Receipt } from './till.ts';

/** The code of a demand in problem details and in reported calls. */
export const PAYMENT_REQUIRED = 'PAYMENT_REQUIRED';

/** Header for credentials of MPP if `Authorization` has an API key or a token. */
const OTHER_CREDENTIAL_HEADER = 'Payment-Authorization';

/** A credential of the scheme `Payment`, in base64url. */
const CREDENTIAL = /^payment +(\S+) *$/i;

/** Returns how the sender of a request pays. */
export const payingOf = (context: RequestContext, publicOrigin: string | undefined): Paying => ({
  offer: readOffer(context.headers),
  resource: `${originFor(context.request, publicOrigin)}${context.path}`,
  gone: context.gone,
});

/** Reads `PAYMENT-SIGNATURE` of x402, or a credential of the scheme `Payment`. */
function readOffer(headers: IncomingHttpHeaders): PaymentOffer | undefined {
  const signature = headers['payment-signature'];
  if (signature !== undefined) return { protocol: 'x402', content: readEncoded(String(signature)) };
  for (const name of [OTHER_CREDENTIAL_HEADER.toLowerCase(), 'authorization']) {
    const credential = CREDENTIAL.exec(headers[name]?.toString() ?? '')?.[1];
    if (credential !== undefined) return { protocol: 'mpp', content: readEncoded(credential) };
  }
  return undefined;
}

/** Reads base64 or base64url of JSON; undefined if it is neither. */
function readEncoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a demand as a 402 response that clients of both protocols understand. */
export function writeDemand(
  { problem, required, challenges, settlement }: PaymentDemand,
  context: RequestContext,
): Reply {
  context.noteCode(PAYMENT_REQUIRED);
  const described = { ...problem, status: 402, code: PAYMENT_REQUIRED };
  return {
    status: 402,
    contentType: 'application/problem+json',
    body: writeProblemBody(described, context.requestId, context.path),
    headers: [
      'payment-required',
      encode(required, 'base64'),
      ...(settlement === undefined ? [] : ['payment-response', encode(settlement, 'base64')]),
      ...challenges.flatMap((challenge) => [
        'www-authenticate',
        writeChallenge(challenge, usesAuthorization(context.headers)),
      ]),
    ],
  };
}

/** Returns the headers of a paid response. */
export const receiptHeaders = ({ protocol, content }: Receipt): readonly string[] =>
  protocol === 'x402'
    ? ['payment-response', encode(content, 'base64')]
    : ['payment-receipt', encode(content, 'base64url')];

/** Whether the sender needs `Authorization` for something else than the payment. */
const usesAuthorization = ({ authorization }: IncomingHttpHeaders): boolean =>
  authorization !== undefined && !CREDENTIAL.test(authorization);

function writeChallenge({ request, ...parameters }: Challenge, isElsewhere: boolean): string {
  const all = {
    ...parameters,
    request: encode(request, 'base64url'),
    ...(isElsewhere && { header: OTHER_CREDENTIAL_HEADER }),
  };
  // No value has a quote or a backslash.
  return `Payment ${Object.entries(all)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

const encode = (value: object, encoding: 'base64' | 'base64url'): string =>
  Buffer.from(JSON.stringify(value)).toString(encoding);
