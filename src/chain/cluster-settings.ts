import type { Layout } from './chain.ts';

/** Something that must not be shown, and shows itself only when asked. */
export interface Concealed<T> {
  reveal(): T;
}

/**
 * Addresses of one upstream in the order they are tried; none when it is not configured. They may carry keys.
 */
type Urls = Concealed<readonly URL[]>;

/** What an operator sets about clusters; the names are those of the configuration. */
export interface ClusterSettings {
  /** The default cluster. */
  readonly cluster: string;
  readonly baseRpcUrl: Urls;
  readonly ephemeralRpcUrl: Urls;
  readonly ephemeralTeeRpcUrl: Urls;
  readonly baseDevnetRpcUrl: Urls;
  readonly ephemeralDevnetRpcUrl: Urls;
  readonly ephemeralDevnetTeeRpcUrl: Urls;
  /** What callers may be shown of each rollup; null to decide by its URL. */
  readonly ephemeralPublicUrl: string | null;
  readonly ephemeralTeePublicUrl: string | null;
  readonly ephemeralDevnetPublicUrl: string | null;
  readonly ephemeralDevnetTeePublicUrl: string | null;
  /**
   * The validator of each rollup: what it tells must be this, and while it tells none, this is taken. Null
   * for none.
   */
  readonly ephemeralValidator: string | null;
  readonly ephemeralTeeValidator: string | null;
  readonly ephemeralDevnetValidator: string | null;
  readonly ephemeralDevnetTeeValidator: string | null;
  readonly baseLayout: Layout;
  readonly baseDevnetLayout: Layout;
  /** Lookup tables for private transfers from base to base; null for none. */
  readonly mainnetLookupTable: string | null;
  readonly devnetLookupTable: string | null;
  /** Hosts that callers may name in a cluster URL. */
  readonly clusterAllowedHosts: readonly string[];
}
