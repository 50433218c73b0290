import { isIP } from 'node:net';

/** A host that callers may name in a cluster URL. */
export interface AllowedHost {
  /** As `URL.hostname` writes it: lower case, IPv6 in brackets. */
  readonly hostname: string;
  /** The one port that may be named; null for the scheme's own. */
  readonly port: number | null;
}

/** Reads an entry such as `rpc.example.com`, `rpc.example.com:8899` or `[::1]:8899`; null when it is none. */
export function parseAllowedHost(text: string): AllowedHost | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null || !URL.canParse(`http://${match[1]}/`)) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { hostname: new URL(`http://${match[1]}/`).hostname, port };
}

/** Whether a URL's host and port are the allowed ones. */
export function isAllowed({ hostname, port }: AllowedHost, url: URL): boolean {
  if (url.hostname !== hostname) return false;
  return port === null ? url.port === '' : portOf(url) === port;
}

/** Whether a URL names its host by a literal IP address. */
export function hasLiteralHost(url: URL): boolean {
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
