import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';
import { canonicalize } from '../service/input/canonicalize.ts';
import { readJson } from '../service/json-body.ts';

/** The header that contains the payment, by protocol. */
const HEADERS = { x402: 'PAYMENT-SIGNATURE', mpp: 'Payment-Authorization' } as const;

/** Maximum length of a payment header, in characters, as in the hosted API. */
const CHARACTERS_MAX = 16_384;

type Encoding = 'base64' | 'base64url';

/** Encodes canonical JSON (RFC 8785). */
export const encodeJson = (value: object, encoding: Encoding): string =>
  Buffer.from(canonicalize(value)).toString(encoding);

/**
 * Decodes JSON.
 *
 * @param name the name of the text in errors.
 * @throws {ServiceError} INVALID_PAYMENT_CREDENTIAL.
 */
export function decodeJson(text: string, encoding: Encoding, name: string): unknown {
  if (text.length > CHARACTERS_MAX) {
    throw invalidCredential(`${name} must have at most ${CHARACTERS_MAX} characters`);
  }
  const bytes = Buffer.from(text, encoding);
  if (bytes.toString(encoding) !== text) {
    throw invalidCredential(`${name} is not canonical ${encoding}: encode its JSON again`);
  }
  const { value, refusal } = readJson(bytes);
  if (refusal === undefined) return value;
  throw invalidCredential(`${name} must be ${encoding} of one JSON text in UTF-8 without repeated members`);
}

/**
 * Returns the payment header of a request; undefined if there is none.
 *
 * @throws {ServiceError} INVALID_PAYMENT_CREDENTIAL if the payment is in a different header.
 */
export function readHeader(headers: IncomingHttpHeaders, protocol: keyof typeof HEADERS): string | undefined {
  const other = protocol === 'x402' ? 'mpp' : 'x402';
  if (/^payment(\s|$)/i.test(headers.authorization ?? '')) {
    throw invalidCredential(
      `Authorization is for the token of the order: send the payment in ${HEADERS[protocol]}`,
    );
  }
  if (headers[HEADERS[other].toLowerCase()] !== undefined) {
    throw invalidCredential(
      `${HEADERS[other]} belongs to the other protocol: send only ${HEADERS[protocol]}, or use the ${other} URL of the order`,
    );
  }
  return headers[HEADERS[protocol].toLowerCase()]?.toString();
}

/** Creates the error for a payment that is malformed or has different terms. */
export const invalidCredential = (why: string): ServiceError =>
  new ServiceError('INVALID_PAYMENT_CREDENTIAL', `The payment was not accepted: ${why}`);
