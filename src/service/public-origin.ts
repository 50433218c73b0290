import type { IncomingMessage } from 'node:http';

/** Host, optional port; no characters that could break out of a URL. */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * The origin under which the service is spoken of to the sender of `request`: the configured one, else the
 * one the request was sent to. A `Host` that is no plain authority is not repeated; the listener's own
 * address stands in.
 */
export function originFor(request: IncomingMessage, configured: string | undefined): string {
  if (configured !== undefined) return configured.replace(/\/+$/, '');
  const { host } = request.headers;
  if (host !== undefined && AUTHORITY.test(host)) return `http://${host.toLowerCase()}`;
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * Makes a JSON document that names the origin under which it is read. It is written anew only when another
 * origin is asked for than the time before.
 */
export function createOriginDocument(
  describe: (origin: string) => object,
  configured: string | undefined,
): (request: IncomingMessage) => Buffer {
  let last: { readonly origin: string; readonly bytes: Buffer } | undefined;
  return (request) => {
    const origin = originFor(request, configured);
    if (last?.origin !== origin) last = { origin, bytes: Buffer.from(JSON.stringify(describe(origin))) };
    return last.bytes;
  };
}
