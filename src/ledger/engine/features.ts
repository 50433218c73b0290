import { FEATURE_PROGRAM } from '../../programs/feature.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { ACCOUNT_LOCKS_MAX, MORE_ACCOUNT_LOCKS } from '../run/account-keys.ts';
import { internAddress } from '../state/intern-address.ts';
import type { EngineLimits } from './engine.ts';
import { type AddressAndAccount, FeatureSet, LiteSvm } from './native-litesvm.ts';

/** The features that the virtual machine can switch on or off. */
export function knownFeatures(): ReadonlySet<Address> {
  return new Set(FeatureSet.allEnabled().getActiveFeatures().map(internAddress));
}

/** The feature accounts of every new virtual machine, cached because creating a machine is slow. */
let defaults: ReadonlyMap<Address, AddressAndAccount> | undefined;

/** The accounts of the features that are active in a new machine. */
function usualFeatureAccounts(): ReadonlyMap<Address, AddressAndAccount> {
  if (defaults === undefined) {
    const entries = new LiteSvm().getProgramAccounts(addressBytes(FEATURE_PROGRAM));
    defaults = new Map(entries.map((entry) => [internAddress(entry.address), entry]));
  }
  return defaults;
}

/** The features active by default: those of mainnet. */
export const mainnetFeatures = (): ReadonlySet<Address> => new Set(usualFeatureAccounts().keys());

/** A set of features in the virtual machine's own form. */
function featureSetOf(active: Iterable<Address>): FeatureSet {
  const features = new FeatureSet();
  for (const feature of active) features.activate(addressBytes(feature), 0n);
  return features;
}

/**
 * Creates a virtual machine with these features (default: mainnet's). Features bring native programs, system
 * calls and precompiles, which are fixed at creation, so a machine with other features is built from empty.
 */
export function makeSvm(features: ReadonlySet<Address> | undefined, limits: EngineLimits): LiteSvm {
  // The engine only knows the account limit of the feature, so a higher limit needs the feature.
  const hasMoreLocks = (limits.accountLocks ?? 0) > ACCOUNT_LOCKS_MAX;
  if (features === undefined && !hasMoreLocks) return new LiteSvm();
  const accounts = usualFeatureAccounts();
  const shown = features ?? new Set(accounts.keys());
  const active = new Set(hasMoreLocks ? [...shown, MORE_ACCOUNT_LOCKS] : shown);
  if (active.size === accounts.size && [...active].every((feature) => accounts.has(feature))) {
    return new LiteSvm();
  }
  const svm = LiteSvm.default();
  svm.setFeatureSet(featureSetOf(active));
  svm.setBuiltins();
  svm.setSysvars();
  svm.setPrecompiles();
  svm.setDefaultPrograms();
  for (const [feature, entry] of accounts) {
    if (shown.has(feature)) svm.setAccount(entry.address, entry.account());
  }
  return svm;
}
