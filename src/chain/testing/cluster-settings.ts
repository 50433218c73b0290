import type { ClusterSettings, Concealed } from '../cluster-settings.ts';

const concealed = <T>(value: T): Concealed<T> => ({ reveal: () => value });

export const urls = (...texts: string[]): Concealed<readonly URL[]> =>
  concealed(texts.map((text) => new URL(text)));

/** Creates the cluster settings with only `changes` configured. */
export function clusterSettings(changes: Partial<ClusterSettings> = {}): ClusterSettings {
  return {
    cluster: 'localnet',
    baseRpcUrl: urls(),
    ephemeralRpcUrl: urls(),
    ephemeralTeeRpcUrl: urls(),
    baseDevnetRpcUrl: urls(),
    ephemeralDevnetRpcUrl: urls(),
    ephemeralDevnetTeeRpcUrl: urls(),
    ephemeralPublicUrl: null,
    ephemeralTeePublicUrl: null,
    ephemeralDevnetPublicUrl: null,
    ephemeralDevnetTeePublicUrl: null,
    ephemeralValidator: null,
    ephemeralTeeValidator: null,
    ephemeralDevnetValidator: null,
    ephemeralDevnetTeeValidator: null,
    baseLayout: 'b',
    baseDevnetLayout: 'b',
    localnetLookupTable: null,
    mainnetLookupTable: null,
    devnetLookupTable: null,
    clusterAllowedHosts: [],
    ...changes,
  };
}
