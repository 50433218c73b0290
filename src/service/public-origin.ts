import type { IncomingMessage } from 'node:http';

/** Host and optional port, without characters that could break out of a URL. */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * The origin of the service as shown to the sender of `request`: the configured one, or else the one the
 * request was sent to. A malformed `Host` is not repeated; the listener's own address is used instead.
 */
export function originFor(request: IncomingMessage, configured: string | undefined): string {
  if (configured !== undefined) return configured.replace(/\/+$/, '');
  const { host } = request.headers;
  if (host !== undefined && AUTHORITY.test(host)) return `http://${host.toLowerCase()}`;
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
