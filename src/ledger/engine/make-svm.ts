import type { Address } from '../../solana/address.ts';
import { ACCOUNT_LOCKS_MAX, MORE_ACCOUNT_LOCKS } from '../run/account-locks.ts';
import type { EngineLimits } from './engine-limits.ts';
import { featureAccounts, featureSetOf } from './features.ts';
import { LiteSvm } from './native-litesvm.ts';

/**
 * A virtual machine with these features, those of mainnet when left out. What features bring (native
 * programs, system calls, precompiles) is decided when it is made, so one with other features is made from
 * nothing.
 */
export function makeSvm(features: ReadonlySet<Address> | undefined, limits: EngineLimits): LiteSvm {
  const usual = new LiteSvm();
  const accounts = featureAccounts(usual);
  const shown = features ?? new Set(accounts.keys());
  // The engine holds transactions to the limit of the feature, and to no other.
  const hasMoreLocks = (limits.accountLocks ?? 0) > ACCOUNT_LOCKS_MAX;
  const active = new Set(hasMoreLocks ? [...shown, MORE_ACCOUNT_LOCKS] : shown);
  if (active.size === accounts.size && [...active].every((feature) => accounts.has(feature))) return usual;
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
