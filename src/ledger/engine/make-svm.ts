import type { Address } from '../../solana/address.ts';
import { ACCOUNT_LOCKS_MAX, MORE_ACCOUNT_LOCKS } from '../run/account-locks.ts';
import type { EngineLimits } from './engine-limits.ts';
import { featureSetOf, usualFeatureAccounts } from './features.ts';
import { LiteSvm } from './native-litesvm.ts';

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
