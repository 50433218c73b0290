import { ServiceError } from '../errors/service-error.ts';
import { hasLiteralHost, isAllowed, type AllowedHost } from './allowed-host.ts';
import type { Chain } from './chain.ts';

/** How many clusters named by URL are kept open. The least recently used one is closed first. */
export const CUSTOM_CLUSTERS_MAX = 16;

/** Longest URL accepted, characters. */
const URL_MAX = 512;

/** A chain that owns background work or connections. */
export interface ClosableChain extends Chain {
  close(): void;
}

/**
 * Clusters that callers name by the URL of a base ledger, on hosts the operator has allowed. Nothing is
 * connected here; the transport checks the addresses a host name resolves to.
 */
export class CustomClusters {
  readonly #allowed: readonly AllowedHost[];
  readonly #open: (url: URL) => ClosableChain;
  /** By URL, least recently used first. */
  readonly #chains = new Map<string, ClosableChain>();

  constructor(allowed: readonly AllowedHost[], open: (url: URL) => ClosableChain) {
    this.#allowed = allowed;
    this.#open = open;
  }

  /**
   * The chain at a URL.
   *
   * @throws {ServiceError} CLUSTER_NOT_ALLOWED; its text does not repeat the URL.
   */
  resolve(text: string): Chain {
    const url = this.#judge(text);
    const chain = this.#chains.get(url.href) ?? this.#open(url);
    this.#chains.delete(url.href);
    this.#chains.set(url.href, chain);
    this.#forgetOldest();
    return chain;
  }

  close(): void {
    for (const chain of this.#chains.values()) chain.close();
  }

  #judge(text: string): URL {
    if (text.length > URL_MAX || !URL.canParse(text)) throw refused('is not a usable URL');
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('must be an http(s) URL');
    if (!this.#allowed.some((host) => isAllowed(host, url))) {
      throw refused('is a URL whose host is not allowed on this service');
    }
    if (url.username !== '' || url.password !== '') throw refused('must not contain a user or a password');
    // Without TLS nothing proves that a host is the one its name claims. A literal address that the operator
    // allowed needs no proof.
    if (url.protocol === 'http:' && !hasLiteralHost(url)) throw refused('must be an https URL');
    url.hash = '';
    return url;
  }

  #forgetOldest(): void {
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
