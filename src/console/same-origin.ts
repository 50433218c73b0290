import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { HostVerdict } from '../http/host-guard.ts';

interface SameOriginOptions {
  /** The address the tool service is bound to. */
  readonly boundHost: string;
  /** Further accepted host names, without port. */
  readonly allowedHosts: readonly string[];
  /** Public origin behind a proxy; null if none. */
  readonly publicOrigin: string | null;
}

/** Names that always resolve to this machine (RFC 6761 section 6.3). */
const OWN_NAMES: readonly string[] = ['localhost'];

/**
 * Creates the check that a request comes from the console's own page, or from no page at all. It is stricter
 * than `createHostGuard`, which accepts pages on any loopback port, because the console shows requests and
 * reaches the ledgers.
 *
 * `Host` must be a name of this service or an IP address, because a page can point its own name here (DNS
 * rebinding) but not an address. `Origin`, which browsers send with everything except plain reads, must match
 * `Host`. Plain reads by other sites are detected by `Sec-Fetch-Site`; following a link is allowed.
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

/** Behind a proxy that terminates TLS the scheme of the page is not known. */
function isOriginOf(host: string, origin: string, publicOrigin: string | null): boolean {
  return origin === `http://${host}` || origin === `https://${host}` || origin === publicOrigin;
}

function isForeignRead(site: string | string[] | undefined, mode: string | string[] | undefined): boolean {
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return mode !== 'navigate';
}

const lowerCase = (text: string): string => text.toLowerCase();
