import type { Layout } from './chain.ts';

/** A secret value, readable only by an explicit call. */
export interface Concealed<T> {
  reveal(): T;
}

/** The URLs of one upstream in order of preference; empty if not configured. They may contain API keys. */
type Urls = Concealed<readonly URL[]>;

/** The operator's cluster settings, under the names the configuration uses. */
export interface ClusterSettings {
  /** The default cluster. */
  readonly cluster: string;
  readonly baseRpcUrl: Urls;
  readonly ephemeralRpcUrl: Urls;
  readonly ephemeralTeeRpcUrl: Urls;
  readonly baseDevnetRpcUrl: Urls;
  readonly ephemeralDevnetRpcUrl: Urls;
  readonly ephemeralDevnetTeeRpcUrl: Urls;
  /** The rollup URL shown to callers; null to derive it from the configured URLs. */
  readonly ephemeralPublicUrl: string | null;
  readonly ephemeralTeePublicUrl: string | null;
  readonly ephemeralDevnetPublicUrl: string | null;
  readonly ephemeralDevnetTeePublicUrl: string | null;
  /**
   * The validator of each rollup. It must equal what the rollup reports, and is used while the rollup reports
   * none. Null if not set.
   */
  readonly ephemeralValidator: string | null;
  readonly ephemeralTeeValidator: string | null;
  readonly ephemeralDevnetValidator: string | null;
  readonly ephemeralDevnetTeeValidator: string | null;
  readonly baseLayout: Layout;
  readonly baseDevnetLayout: Layout;
  /** Lookup tables for private base-to-base transfers; null if there is none. */
  readonly localnetLookupTable: string | null;
  readonly mainnetLookupTable: string | null;
  readonly devnetLookupTable: string | null;
  /** Hosts that a caller's cluster URL may name. */
  readonly clusterAllowedHosts: readonly string[];
}
