import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { HostVerdict } from '../http/host-guard.ts';

/** Whom the console answers. */
interface SameOriginOptions {
  /** The address the tool service is bound to. */
  readonly boundHost: string;
  /** Further host names it is reached by, without port. */
  readonly allowedHosts: readonly string[];
  /** The origin it is reached by through a proxy; null for none. */
  readonly publicOrigin: string | null;
}

/** Names of this machine that no page can make lead elsewhere (RFC 6761 section 6.3). */
const OWN_NAMES: readonly string[] = ['localhost'];

/**
 * Decides whether a request comes from the console's own page, or from no page at all. It is stricter than
 * `createHostGuard`, whose pages may have any port: here a page reaches the ledgers and sees who asks what.
 *
 * The name in `Host` must be one of this service or an address, as a page can make its own name lead here
 * (DNS rebinding) but no address. `Origin`, which browsers send with everything but plain reads, and with
 * every WebSocket handshake, must be that of `Host`. Plain reads of other sites are told by
 * `Sec-Fetch-Site`; following a link is none.
 */
export function createSameOriginGuard(options: SameOriginOptions): (request: IncomingMessage) => HostVerdict {
  const { boundHost, allowedHosts, publicOrigin } = options;
  const published = publicOrigin === null ? [] : [new URL(publicOrigin).hostname];
  const names = new Set([...OWN_NAMES, boundHost, ...allowedHosts, ...published].map(lowerCase));
  return ({ headers }) => {
    const host = lowerCase(headers.host ?? '');
    if (!isKnownHost(host, names)) return 'foreign-host';
    const { origin } = headers;
    if (origin !== undefined)
      return isOriginOf(host, lowerCase(origin), publicOrigin) ? 'ok' : 'foreign-origin';
    return isForeignRead(headers['sec-fetch-site'], headers['sec-fetch-mode']) ? 'foreign-origin' : 'ok';
  };
}

function isKnownHost(host: string, names: ReadonlySet<string>): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(host) ?? [];
  const name = bracketed ?? plain ?? '';
  return isIP(name) !== 0 || names.has(name);
}

/** The page's own scheme is not known behind a proxy that ends TLS. */
function isOriginOf(host: string, origin: string, publicOrigin: string | null): boolean {
  return origin === `http://${host}` || origin === `https://${host}` || origin === publicOrigin;
}

function isForeignRead(site: string | string[] | undefined, mode: string | string[] | undefined): boolean {
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return mode !== 'navigate';
}

const lowerCase = (text: string): string => text.toLowerCase();
