import { ServiceError } from '../../errors/service-error.ts';
import { inactiveFeature, isActiveFeature } from '../../programs/feature.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { knownFeatures, mainnetFeatures } from '../engine/features.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import type { LedgerReads } from '../ledger.ts';
import { EPOCH_SCHEDULE_SYSVAR } from '../../programs/sysvars.ts';
import { epochScheduleSysvar } from '../time/sysvars.ts';
import type { AccountSource } from './cluster-accounts.ts';

/** Permanent properties of a new ledger, set by flags of solana-test-validator. */
export interface LedgerShape {
  /** `--slots-per-epoch`; null for 432,000. */
  readonly epochSlots: number | null;
  /** `--deactivate-feature`: inactive in any case. */
  readonly inactiveFeatures: readonly Address[];
  /** `--clone-feature-set`: the cluster whose active features are used; null for mainnet's. */
  readonly featuresOf: AccountSource | null;
}

/**
 * The accounts that express a shape and by which it is recognised when the ledger is reopened: the
 * EpochSchedule sysvar, and an account for each feature that differs from mainnet.
 *
 * @throws {ServiceError} PROVISION_INVALID for a feature unknown to the engine; UPSTREAM_* if the cluster
 *   does not answer.
 */
export async function shapeAccounts(shape: LedgerShape): Promise<AccountEntry[]> {
  const { epochSlots, inactiveFeatures, featuresOf } = shape;
  assertKnown(inactiveFeatures);
  const features = new Map(featuresOf === null ? [] : await otherFeatures(featuresOf));
  for (const feature of inactiveFeatures) features.set(feature, inactiveFeature());
  if (epochSlots === null) return [...features];
  return [...features, [EPOCH_SCHEDULE_SYSVAR, epochScheduleSysvar(epochSlots)]];
}

/** Warnings for an existing ledger whose shape differs from the requested one. It keeps its own shape. */
export function shapeWarnings(
  { epochSlots, inactiveFeatures, featuresOf }: LedgerShape,
  ledger: Pick<LedgerReads, 'epochSlots' | 'getAccount'>,
): string[] {
  const mend = 'Start with --reset to begin a new one.';
  const active = inactiveFeatures.filter((feature) => ledger.getAccount(feature) !== null);
  return [
    ...(epochSlots === null || epochSlots === ledger.epochSlots
      ? []
      : [
          `--slots-per-epoch ${epochSlots} does nothing: the kept ledger has epochs of ${ledger.epochSlots} slots. ${mend}`,
        ]),
    ...(active.length === 0
      ? []
      : [
          `--deactivate-feature does nothing: the kept ledger began with ${active.join(', ')} active. ${mend}`,
        ]),
    ...(featuresOf === null
      ? []
      : [`--clone-feature-set does nothing: the kept ledger has the features it began with. ${mend}`]),
  ];
}

function assertKnown(features: readonly Address[]): void {
  const known = knownFeatures();
  for (const feature of features) {
    if (known.has(feature)) continue;
    throw new ServiceError(
      'PROVISION_INVALID',
      `--deactivate-feature ${feature} cannot be had: it is no feature that the virtual machine knows`,
      { account: feature },
    );
  }
}

/** The feature accounts in which a cluster differs from mainnet. */
async function otherFeatures(source: AccountSource): Promise<AccountEntry[]> {
  const usual = mainnetFeatures();
  const known = [...knownFeatures()];
  const accounts = await source.getAccounts(known);
  return known.flatMap((feature, index): AccountEntry[] => {
    const account: Account = accounts[index] ?? inactiveFeature();
    const isActive = isActiveFeature(account);
    if (isActive === usual.has(feature)) return [];
    return [[feature, isActive ? account : inactiveFeature()]];
  });
}
