import type { IncomingMessage } from 'node:http';

/** How long a browser may cache the answer to its preflight, seconds (Agave `rpc_service.rs`). */
const MAX_AGE_SECONDS = 86_400;

/** The HTTP methods of JSON-RPC, in Agave's spelling. */
export const ALLOWED_METHODS = 'OPTIONS, POST';

const NO_HEADERS: readonly string[] = [];

/**
 * The headers that let any web page read the answer, as alternating names and values. Solana nodes are open
 * to all origins; a request without one gets no headers.
 *
 * @param methods the HTTP methods that are served.
 */
export function corsHeaders({ headers }: IncomingMessage, methods: string): readonly string[] {
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return NO_HEADERS;
  const requested = headers['access-control-request-headers'];
  return [
    'vary',
    'origin',
    'access-control-allow-methods',
    methods,
    'access-control-allow-origin',
    origin,
    'access-control-max-age',
    String(MAX_AGE_SECONDS),
    ...(requested === undefined ? NO_HEADERS : ['access-control-allow-headers', requested]),
  ];
}
