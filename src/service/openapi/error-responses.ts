import type { JsonObject } from '../input/json-object.ts';
import { refTo } from './schema-components.ts';

/** The statuses of failures and their meaning for any operation. */
const MEANINGS = {
  400: ['BadRequest', 'The request cannot be fulfilled as it is; code says why.'],
  401: ['Unauthorized', 'The rollup did not accept the login.'],
  403: [
    'Forbidden',
    'The bearer token is of a wallet that may not read this, or the Host or Origin of the request is not one that the operator allowed.',
  ],
  409: [
    'Conflict',
    'The state of an account, or a request with the same Idempotency-Key, stands in the way.',
  ],
  413: ['PayloadTooLarge', 'The body is over the limit.'],
  415: ['UnsupportedMediaType', 'The body is not declared as application/json, or is compressed.'],
  422: ['UnprocessableContent', 'A field is missing, unknown or not valid; errors names each.'],
  429: ['TooManyRequests', 'The allowance of this client address is used up; Retry-After says until when.'],
  500: ['InternalServerError', 'The service failed; its log tells more under the requestId.'],
  502: ['BadGateway', 'The cluster could not be reached, or its answer cannot be used.'],
  503: ['ServiceUnavailable', 'Too much to do just now; Retry-After says when to try again.'],
  504: ['GatewayTimeout', 'The cluster did not answer in time.'],
} as const;

const BODY_STATUSES: ReadonlySet<string> = new Set(['413', '415']);

/** Failures as response components with a problem details body. */
export function createErrorComponents(): JsonObject {
  return Object.fromEntries(
    Object.values(MEANINGS).map(([name, description]) => [
      name,
      { description, content: { 'application/problem+json': { schema: refTo('schemas', 'Problem') } } },
    ]),
  );
}

/** References to the failures an operation may answer with, by status. */
export function listErrorResponses(hasBody: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(MEANINGS)
      .filter(([status]) => hasBody || !BODY_STATUSES.has(status))
      .map(([status, [name]]) => [status, refTo('responses', name)]),
  );
}
