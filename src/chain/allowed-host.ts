import { isIP } from 'node:net';

/** A host that a caller's cluster URL may name. */
export interface AllowedHost {
  /** In the form of `URL.hostname`: lower case, IPv6 in brackets. */
  readonly hostname: string;
  /** The only port allowed; null for the default port of the scheme. */
  readonly port: number | null;
}

/**
 * Parses an entry such as `rpc.example.com`, `rpc.example.com:8899` or `[::1]:8899`. Null if it is not a
 * host.
 */
export function parseAllowedHost(text: string): AllowedHost | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null || !URL.canParse(`http://${match[1]}/`)) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { hostname: new URL(`http://${match[1]}/`).hostname, port };
}

/** Whether the host and port of a URL match the allowed ones. */
export function isAllowed({ hostname, port }: AllowedHost, url: URL): boolean {
  if (url.hostname !== hostname) return false;
  return port === null ? url.port === '' : portOf(url) === port;
}

/** Whether the host of a URL is a literal IP address. */
export function hasLiteralHost(url: URL): boolean {
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
