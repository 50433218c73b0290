import type { IncomingMessage } from 'node:http';

/**
 * Returns the path of a request target, without query and origin (absolute form, RFC 9112 section 3.2.2).
 * Percent-encoding is not decoded, so an encoded path does not reach a route.
 */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}

/**
 * Returns the quality value of an item in a header such as `Accept` or `Accept-Encoding`: from 0 (not
 * acceptable) to 1; undefined if the header does not list it (RFC 9110 section 12.4.2).
 *
 * @param name the item's name in lower case, without parameters.
 */
export function qualityOf(header: string | undefined, name: string): number | undefined {
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [named = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (named !== name) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = Number(weight?.slice(2) ?? 1);
    return quality >= 0 && quality <= 1 ? quality : 0;
  }
  return undefined;
}

/** Host and optional port, without characters that could break out of a URL. */
const AUTHORITY = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * Returns the configured origin of the service, or the origin that `request` was sent to. If `Host` is
 * malformed, uses the listener's own address.
 */
export function originFor(request: IncomingMessage, configured: string | undefined): string {
  if (configured !== undefined) return configured.replace(/\/+$/, '');
  const { host } = request.headers;
  const isUsable = host !== undefined && AUTHORITY.test(host) && URL.canParse(`http://${host}`);
  if (isUsable) return `http://${host.toLowerCase()}`;
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
