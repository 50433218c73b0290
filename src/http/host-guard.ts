import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/loopback.ts';

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Which hosts and origins a listener accepts. */
export interface HostGuardOptions {
  /** The address the listener is bound to. */
  readonly boundHost: string;
  /** Host names that are accepted besides the loopback ones and `boundHost`, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins that are accepted besides those of loopback pages, as browsers send them. */
  readonly allowedOrigins: readonly string[];
}

/** What is foreign about a request, or `ok`. */
export type HostVerdict = 'ok' | 'foreign-host' | 'foreign-origin';

/**
 * Decides by `Host` and `Origin` whether a request may be served: the defence against DNS rebinding and
 * against web pages that drive a local service (MCP 2025-11-25, transports, "Security Warning").
 *
 * Names are compared without their port. `Origin` absent is fine (no browser); `null` and malformed ones are
 * foreign. `Host` is judged when the listener is bound to loopback or hosts were allowed by name: behind a
 * proxy or in a container the name is not known here, so a listener open to others with an empty list takes
 * any.
 */
export function createHostGuard(options: HostGuardOptions): (request: IncomingMessage) => HostVerdict {
  const hosts = new Set([
    ...LOOPBACK_NAMES,
    ...[options.boundHost, ...options.allowedHosts].map(asHostHeader),
  ]);
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));
  const judgesHost = isLoopback(options.boundHost) || options.allowedHosts.length > 0;
  return (request) => {
    if (judgesHost && !hosts.has(hostName(request.headers.host))) return 'foreign-host';
    const origin = request.headers.origin;
    if (origin !== undefined && !isKnownOrigin(origin.toLowerCase(), origins)) return 'foreign-origin';
    return 'ok';
  };
}

/**
 * The verdict on a request for `/health` or `/ready`. They tell nothing private, and whoever watches a
 * listener calls it by the address or name they know, Kubernetes by the address of the pod. Only pages send
 * an `Origin`.
 */
export function judgeProbe(request: IncomingMessage, verdict: HostVerdict): HostVerdict {
  return verdict === 'foreign-host' && request.headers.origin === undefined ? 'ok' : verdict;
}

/**
 * The verdict on a request for `/metrics`: Prometheus may come by any address. A foreign name stays foreign,
 * since it is by names that a page reaches what is not its own (DNS rebinding).
 */
export function judgeMetrics(request: IncomingMessage, verdict: HostVerdict): HostVerdict {
  const name = hostName(request.headers.host).replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 ? verdict : judgeProbe(request, verdict);
}

function isKnownOrigin(origin: string, allowed: ReadonlySet<string>): boolean {
  if (allowed.has(origin)) return true;
  const match = /^https?:\/\/([^/]+)$/.exec(origin);
  return match !== null && LOOPBACK_NAMES.includes(hostName(match[1]));
}

/** A host as it stands in a `Host` header: lower case, an IPv6 address in brackets. */
function asHostHeader(host: string): string {
  return (isIP(host) === 6 ? `[${host}]` : host).toLowerCase();
}

function hostName(hostHeader: string | undefined): string {
  return (hostHeader ?? '').toLowerCase().replace(/:\d{1,5}$/, '');
}
