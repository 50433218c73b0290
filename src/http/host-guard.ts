import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../config/exposure.ts';

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The hosts and origins that a listener accepts. */
export interface HostGuardOptions {
  /** The address the listener is bound to. */
  readonly boundHost: string;
  /** Accepted host names in addition to loopback and `boundHost`, without port. */
  readonly allowedHosts: readonly string[];
  /** Accepted origins in addition to loopback pages, as browsers send them. */
  readonly allowedOrigins: readonly string[];
}

/** Result of the host and origin check. */
export type HostVerdict = 'ok' | 'foreign-host' | 'foreign-origin';

/**
 * Creates the check of `Host` and `Origin` that protects against DNS rebinding and against web pages that
 * drive a local service (MCP 2025-11-25, transports, "Security Warning").
 *
 * Compares names without their port. Accepts a missing `Origin`, because only browsers send it. Rejects
 * `null` and malformed origins. Checks `Host` only if the listener is bound to loopback or has allowed hosts,
 * because the public name is unknown behind a proxy or in a container.
 */
export function createHostGuard(options: HostGuardOptions): (request: IncomingMessage) => HostVerdict {
  const hosts = new Set([
    ...LOOPBACK_NAMES,
    ...[options.boundHost, ...options.allowedHosts].map(asHostHeader),
  ]);
  const origins = new Set(options.allowedOrigins.map((origin) => origin.toLowerCase()));
  const checksHost = isLoopback(options.boundHost) || options.allowedHosts.length > 0;
  return (request) => {
    if (checksHost && !hosts.has(hostName(request.headers.host))) return 'foreign-host';
    const origin = request.headers.origin;
    if (origin !== undefined && !isKnownOrigin(origin.toLowerCase(), origins)) return 'foreign-origin';
    return 'ok';
  };
}

/**
 * Accepts any host for `/health` and `/ready`, unless a web page (`Origin`) sends the request. These paths
 * show nothing private, and probes use any name or address (Kubernetes uses the pod's).
 */
export function relaxForProbe(request: IncomingMessage, verdict: HostVerdict): HostVerdict {
  return verdict === 'foreign-host' && request.headers.origin === undefined ? 'ok' : verdict;
}

/** Accepts any IP address as host of `/metrics` (for Prometheus), but no foreign name (DNS rebinding). */
export function relaxForMetrics(request: IncomingMessage, verdict: HostVerdict): HostVerdict {
  const name = hostName(request.headers.host).replace(/^\[(.*)\]$/, '$1');
  return isIP(name) === 0 ? verdict : relaxForProbe(request, verdict);
}

function isKnownOrigin(origin: string, allowed: ReadonlySet<string>): boolean {
  if (allowed.has(origin)) return true;
  const match = /^https?:\/\/([^/]+)$/.exec(origin);
  return match !== null && LOOPBACK_NAMES.includes(hostName(match[1]));
}

/** Formats a host for comparison with `Host` headers: lower case, IPv6 addresses in brackets. */
function asHostHeader(host: string): string {
  return (isIP(host) === 6 ? `[${host}]` : host).toLowerCase();
}

function hostName(hostHeader: string | undefined): string {
  return (hostHeader ?? '').toLowerCase().replace(/:\d{1,5}$/, '');
}
