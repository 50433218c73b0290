import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { internAddress } from '../state/intern-address.ts';
import { FeatureSet, LiteSvm, type AddressAndAccount } from './native-litesvm.ts';

/** The features that the virtual machine can run with or without. */
export function knownFeatures(): ReadonlySet<Address> {
  return new Set(FeatureSet.allEnabled().getActiveFeatures().map(internAddress));
}

/** Those it runs with by itself, which are those of mainnet. */
export const mainnetFeatures = (): ReadonlySet<Address> => new Set(featureAccounts(new LiteSvm()).keys());

/** The accounts that say which features are active. */
export function featureAccounts(svm: LiteSvm): ReadonlyMap<Address, AddressAndAccount> {
  const entries = svm.getProgramAccounts(addressBytes(FEATURE_PROGRAM));
  return new Map(entries.map((entry) => [internAddress(entry.address), entry]));
}

/** These features as the virtual machine takes them. */
export function featureSetOf(active: Iterable<Address>): FeatureSet {
  const features = new FeatureSet();
  for (const feature of active) features.activate(addressBytes(feature), 0n);
  return features;
}
