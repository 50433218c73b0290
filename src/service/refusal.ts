import { quoted } from '../errors/quoted-text.ts';
import { ACCEPTED_ENCODING } from '../http/body.ts';
import type { HostVerdict } from '../http/host-guard.ts';
import type { Reply } from './reply.ts';

/** A rejection of a request before it reaches an operation. Each protocol has its own format for it. */
export interface Refusal {
  readonly status: number;
  /** Stable code for programs. */
  readonly code: RefusalCode;
  /** The reason phrase of the HTTP status. It is the same for every occurrence of the code. */
  readonly title: string;
  /** Tells the caller what to do instead. */
  readonly detail: string;
  readonly headers?: readonly string[];
  /** Whether the connection closes after the response. */
  readonly isLast?: boolean;
}

export type RefusalCode =
  | 'FOREIGN_HOST'
  | 'FOREIGN_ORIGIN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'BODY_TOO_LARGE'
  | 'BODY_NOT_JSON'
  | 'BODY_TOO_DEEP'
  | 'MEMBER_REPEATED'
  | 'CREDENTIALS_MISSING'
  | 'CREDENTIALS_MALFORMED'
  | 'CREDENTIALS_INVALID'
  | 'CREDENTIALS_UNCHECKED'
  | 'INSUFFICIENT_SCOPE'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR';

/** Maximum length of a quoted name, in UTF-16 units. */
const ECHOED_NAME_MAX = 64;

/** Writes a refusal in the format of one protocol. `path` has no query. */
export type RefusalWriter = (refusal: Refusal, requestId: string, path: string) => Reply;

/** Refusals for hosts and origins that the guard does not accept. */
export const FOREIGN: Readonly<Record<Exclude<HostVerdict, 'ok'>, Refusal>> = {
  'foreign-host': {
    status: 403,
    code: 'FOREIGN_HOST',
    title: 'Forbidden',
    detail: 'The Host header names a host that this service does not accept; ask the operator to allow it',
  },
  'foreign-origin': {
    status: 403,
    code: 'FOREIGN_ORIGIN',
    title: 'Forbidden',
    detail: 'Web pages of this origin may not use the service; ask the operator to allow the origin',
  },
};

export const NOT_FOUND: Refusal = {
  status: 404,
  code: 'NOT_FOUND',
  title: 'Not Found',
  detail: 'This path does not exist; the MCP endpoint is /mcp, and /reference describes the REST API',
};

export const UNSUPPORTED_MEDIA_TYPE: Refusal = {
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  title: 'Unsupported Media Type',
  detail: 'Content-Type must be application/json',
};

/** Refusal of a compressed body, which is not read. */
export const ENCODED_BODY: Refusal = {
  ...UNSUPPORTED_MEDIA_TYPE,
  detail: 'Content-Encoding must be left out or identity: send the JSON uncompressed',
  headers: ACCEPTED_ENCODING,
};

export const BODY_NOT_JSON: Refusal = {
  status: 400,
  code: 'BODY_NOT_JSON',
  title: 'Bad Request',
  detail: 'The body is not JSON in UTF-8',
};

export const BODY_EMPTY: Refusal = {
  ...BODY_NOT_JSON,
  detail: 'The body is empty: send JSON',
};

export const INTERNAL_ERROR: Refusal = {
  status: 500,
  code: 'INTERNAL_ERROR',
  title: 'Internal Server Error',
  detail: 'The service failed unexpectedly; look up this request id in its log',
};

/** Refuses a method that the path does not support. `allow` is the value of the `Allow` header. */
export function methodNotAllowed(allow: string): Refusal {
  return {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    title: 'Method Not Allowed',
    detail: `This path allows ${allow}`,
    headers: ['allow', allow],
  };
}

/** Refusal of a POST to `/`, which is probably JSON-RPC for a ledger. It names the ledger's address. */
export const POST_TO_ROOT: Refusal = {
  ...methodNotAllowed('GET, HEAD'),
  detail:
    'This path allows GET, HEAD; the MCP endpoint is /mcp, /reference describes the REST API, and the ledger node and the rollup have their own ports for JSON-RPC',
};

/** Refuses a body over the limit. The rest of the body is not read. */
export function bodyTooLarge(bytesMax: number): Refusal {
  return {
    status: 413,
    code: 'BODY_TOO_LARGE',
    title: 'Payload Too Large',
    detail: `Request body must not exceed ${bytesMax} bytes`,
    isLast: true,
  };
}

export function bodyTooDeep(depthMax: number): Refusal {
  return {
    status: 400,
    code: 'BODY_TOO_DEEP',
    title: 'Bad Request',
    detail: `The JSON in the body must not nest deeper than ${depthMax} levels`,
  };
}

export function memberRepeated(name: string): Refusal {
  return {
    status: 400,
    code: 'MEMBER_REPEATED',
    title: 'Bad Request',
    detail: `An object in the body contains the member ${quoted(name, ECHOED_NAME_MAX)} more than once; send it once`,
  };
}

/** Refuses a request that exceeds the rate limit. */
export function rateLimited(retryAfterSeconds: number): Refusal {
  return {
    status: 429,
    code: 'RATE_LIMITED',
    title: 'Too Many Requests',
    detail: `Too many requests from this client; try again in ${retryAfterSeconds} s`,
    headers: ['retry-after', String(retryAfterSeconds)],
  };
}

/** Returns the parts that all formats of a refusal share: status, headers, whether the connection closes. */
export function replyFrame({ status, headers, isLast }: Refusal): Reply {
  return {
    status,
    ...(headers === undefined ? {} : { headers }),
    ...(isLast === undefined ? {} : { isLast }),
  };
}
