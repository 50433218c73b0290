import type { IncomingMessage } from 'node:http';
import type { Reply } from './reply.ts';

/** How long a browser may cache the response to a preflight, seconds. */
const MAX_AGE_SECONDS = 600;

/** Request headers that the API reads, in addition to those that CORS always allows. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

/** Response headers that pages may read, in addition to those that CORS always exposes. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Idempotent-Replayed',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
].join(', ');

/** Whether the request is a CORS preflight (Fetch standard, CORS-preflight request). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/**
 * Returns the headers that let a page of `origin` read the response: name, value, name, value. Call it only
 * for origins that the host guard accepts.
 */
export function corsHeaders(origin: string): readonly string[] {
  return [
    'access-control-allow-origin',
    origin,
    'access-control-expose-headers',
    EXPOSED_HEADERS,
    'vary',
    'Origin',
  ];
}

/** Returns the response to a preflight for a path with the methods `allow`. */
export function preflightReply(allow: string): Reply {
  return {
    status: 204,
    headers: [
      'access-control-allow-methods',
      allow,
      'access-control-allow-headers',
      ALLOWED_HEADERS,
      'access-control-max-age',
      String(MAX_AGE_SECONDS),
    ],
  };
}
