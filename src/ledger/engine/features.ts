import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { internAddress } from '../state/intern-address.ts';
import { FeatureSet, LiteSvm, type AddressAndAccount } from './native-litesvm.ts';

/** The features that the virtual machine can switch on or off. */
export function knownFeatures(): ReadonlySet<Address> {
  return new Set(FeatureSet.allEnabled().getActiveFeatures().map(internAddress));
}

/** The features active by default: those of mainnet. */
export const mainnetFeatures = (): ReadonlySet<Address> => new Set(featureAccounts(new LiteSvm()).keys());

/** The accounts that record which features are active. */
export function featureAccounts(svm: LiteSvm): ReadonlyMap<Address, AddressAndAccount> {
  const entries = svm.getProgramAccounts(addressBytes(FEATURE_PROGRAM));
  return new Map(entries.map((entry) => [internAddress(entry.address), entry]));
}

/** A set of features in the virtual machine's own form. */
export function featureSetOf(active: Iterable<Address>): FeatureSet {
  const features = new FeatureSet();
  for (const feature of active) features.activate(addressBytes(feature), 0n);
  return features;
}
