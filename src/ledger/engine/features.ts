import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { internAddress } from '../state/intern-address.ts';
import { FeatureSet, LiteSvm, type AddressAndAccount } from './native-litesvm.ts';

/** The features that the virtual machine can switch on or off. */
export function knownFeatures(): ReadonlySet<Address> {
  return new Set(FeatureSet.allEnabled().getActiveFeatures().map(internAddress));
}

/** What a virtual machine is created with: always the same, and slow to create for no more than that. */
let usual: ReadonlyMap<Address, AddressAndAccount> | undefined;

/** The accounts that record which features are active in a machine as it is created. */
export function usualFeatureAccounts(): ReadonlyMap<Address, AddressAndAccount> {
  if (usual === undefined) {
    const entries = new LiteSvm().getProgramAccounts(addressBytes(FEATURE_PROGRAM));
    usual = new Map(entries.map((entry) => [internAddress(entry.address), entry]));
  }
  return usual;
}

/** The features active by default: those of mainnet. */
export const mainnetFeatures = (): ReadonlySet<Address> => new Set(usualFeatureAccounts().keys());

/** A set of features in the virtual machine's own form. */
export function featureSetOf(active: Iterable<Address>): FeatureSet {
  const features = new FeatureSet();
  for (const feature of active) features.activate(addressBytes(feature), 0n);
  return features;
}
