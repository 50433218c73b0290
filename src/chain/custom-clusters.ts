import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ServiceError } from '../errors/service-error.ts';
import type { Chain } from './chain.ts';
import { type AllowedHost, hasLiteralHost, isAllowed } from './cluster-settings.ts';
import { TransportFault } from './upstream/transport.ts';

/** Maximum number of open clusters named by URL. The least recently used cluster is closed first. */
export const CUSTOM_CLUSTERS_MAX = 16;

/** Maximum length of a URL, in characters. */
const URL_MAX = 512;

/** A chain that owns background work or connections. */
export interface ClosableChain extends Chain {
  close(): void;
}

/**
 * Clusters that callers name by the URL of a base ledger, on hosts the operator has allowed. This class opens
 * no connections; the transport checks the addresses a host name resolves to.
 */
export class CustomClusters {
  readonly #allowed: readonly AllowedHost[];
  readonly #open: (url: URL) => ClosableChain;
  /** The open clusters by URL, least recently used first. */
  readonly #chains = new Map<string, ClosableChain>();

  constructor(allowed: readonly AllowedHost[], open: (url: URL) => ClosableChain) {
    this.#allowed = allowed;
    this.#open = open;
  }

  /**
   * Returns the chain at a URL.
   *
   * @throws {ServiceError} CLUSTER_NOT_ALLOWED; its message does not contain the URL.
   */
  resolve(text: string): Chain {
    const url = this.#check(text);
    const chain = this.#chains.get(url.href) ?? this.#open(url);
    this.#chains.delete(url.href);
    this.#chains.set(url.href, chain);
    this.#closeOldest();
    return chain;
  }

  close(): void {
    for (const chain of this.#chains.values()) chain.close();
  }

  #check(text: string): URL {
    if (text.length > URL_MAX || !URL.canParse(text)) throw refused('is not a usable URL');
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('must be an http(s) URL');
    if (!this.#allowed.some((host) => isAllowed(host, url))) {
      throw refused('names a host that this service does not allow');
    }
    if (url.username !== '' || url.password !== '') throw refused('must not contain a user or a password');
    // Without TLS a host name is not authenticated. The operator vouches for literal addresses.
    if (url.protocol === 'http:' && !hasLiteralHost(url)) throw refused('must be an https URL');
    url.hash = '';
    return url;
  }

  #closeOldest(): void {
    if (this.#chains.size <= CUSTOM_CLUSTERS_MAX) return;
    const [href, chain] = this.#chains.entries().next().value as [string, ClosableChain];
    this.#chains.delete(href);
    chain.close();
  }
}

function refused(why: string): ServiceError {
  return new ServiceError('CLUSTER_NOT_ALLOWED', `cluster ${why}; pass the name of a cluster`, {
    field: 'cluster',
  });
}

/** IPv4 ranges that are not public (IANA IPv4 Special-Purpose Address Registry, multicast, class E). */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Ranges in 2000::/3 that are not global or are tunnels (IANA IPv6 Special-Purpose Address Registry). */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

/** IANA's only global unicast range. It excludes loopback, link-local and IPv4-mapped addresses. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** Whether a text is a public IP address (IPv6 without brackets). */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Resolves a host name to all its addresses. */
export type ResolveAll = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveBySystem: ResolveAll = (name, done) => systemLookup(name, { all: true }, done);

/**
 * Creates a DNS resolver for hosts that callers choose. It runs once per connection, which goes to the
 * address it returns, so DNS cannot change between check and use. It rejects a name if any of its addresses
 * is not public.
 */
export function createPublicLookup(resolve: ResolveAll = resolveBySystem): LookupFunction {
  return (name, options, done) => {
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        done(error ?? new TransportFault('unreachable'), '');
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        done(new TransportFault('forbidden-address'), '');
      } else if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
}
