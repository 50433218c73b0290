import { ServiceError } from '../../errors/service-error.ts';
import { inactiveFeature, isActiveFeature } from '../../programs/feature.ts';
import { decodeRent, EPOCH_SCHEDULE_SYSVAR, RENT_SYSVAR, rentSysvarData } from '../../programs/sysvars.ts';
import { type Account, LOCAL_RENT, type Rent } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { knownFeatures, mainnetFeatures } from '../engine/litesvm-engine.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import type { LedgerReads } from '../ledger.ts';
import { epochScheduleSysvar, sysvarAccount } from '../time/sysvars.ts';
import type { AccountSource } from './clone-accounts.ts';

/** Permanent properties of a new ledger, set by flags of solana-test-validator. */
export interface LedgerShape {
  /** Slots per epoch (`--slots-per-epoch`); null for 432,000. */
  readonly epochSlots: number | null;
  /** Rent per byte (`--rent-per-byte`); null for the rent of `rentOf`, or else of a test validator. */
  readonly rentPerByte: bigint | null;
  /** The cluster whose rent a fork uses; null if the ledger is not a fork or sets its own rent. */
  readonly rentOf: AccountSource | null;
  /** `--deactivate-feature`: features that are always inactive. */
  readonly inactiveFeatures: readonly Address[];
  /** `--clone-feature-set`: the cluster whose active features are used; null for mainnet's. */
  readonly featuresOf: AccountSource | null;
}

/**
 * Returns the accounts that store a shape, from which a reopened ledger reads it: the EpochSchedule and Rent
 * sysvars, and an account for each feature that differs from mainnet.
 *
 * @throws {ServiceError} PROVISION_INVALID for a feature unknown to the engine, or a cluster without a rent;
 *   UPSTREAM_* if the cluster does not answer.
 */
export async function shapeAccounts(shape: LedgerShape): Promise<AccountEntry[]> {
  const { epochSlots, inactiveFeatures, featuresOf, rentOf } = shape;
  assertKnown(inactiveFeatures);
  const features = new Map(featuresOf === null ? [] : await otherFeatures(featuresOf));
  for (const feature of inactiveFeatures) features.set(feature, inactiveFeature());
  const rent =
    shape.rentPerByte === null ? rentOf && (await readRent(rentOf)) : rentSysvarData(shape.rentPerByte);
  return [
    ...features,
    ...(epochSlots === null ? [] : [[EPOCH_SCHEDULE_SYSVAR, epochScheduleSysvar(epochSlots)] as const]),
    ...(rent === null ? [] : [[RENT_SYSVAR, sysvarAccount(rent)] as const]),
  ];
}

/** Returns the rent of a ledger with the accounts of a shape. */
export function rentOfShape(accounts: readonly AccountEntry[]): Rent {
  const sysvar = accounts.find(([address]) => address === RENT_SYSVAR);
  return decodeRent(sysvar?.[1] ?? null) ?? LOCAL_RENT;
}

async function readRent(source: AccountSource): Promise<Uint8Array> {
  const [account = null] = await source.getAccounts([RENT_SYSVAR]);
  if (account !== null && decodeRent(account) !== null) return account.data;
  throw new ServiceError(
    'PROVISION_INVALID',
    'The cluster at --url has no Rent sysvar. Set --rent-per-byte.',
    {
      account: RENT_SYSVAR,
    },
  );
}

/** Returns the warnings for an existing ledger that keeps its shape although a different one is requested. */
export function shapeWarnings(
  { epochSlots, rentPerByte, inactiveFeatures, featuresOf }: LedgerShape,
  ledger: Pick<LedgerReads, 'epochSlots' | 'getAccount'>,
): string[] {
  const rent = decodeRent(ledger.getAccount(RENT_SYSVAR))?.lamportsPerByte ?? null;
  const active = inactiveFeatures.filter((feature) => ledger.getAccount(feature) !== null);
  const warnings: string[] = [];
  const warn = (flag: string, why: string): void =>
    void warnings.push(
      `${flag} has no effect: the existing ledger ${why}. Start with --reset to create a new one.`,
    );
  if (epochSlots !== null && epochSlots !== ledger.epochSlots)
    warn(`--slots-per-epoch ${epochSlots}`, `has epochs of ${ledger.epochSlots} slots`);
  if (rentPerByte !== null && rentPerByte !== rent)
    warn(`--rent-per-byte ${rentPerByte}`, `has a rent of ${rent} lamports per byte`);
  if (active.length > 0) warn('--deactivate-feature', `was created with ${active.join(', ')} active`);
  if (featuresOf !== null) warn('--clone-feature-set', 'has the features it was created with');
  return warnings;
}

function assertKnown(features: readonly Address[]): void {
  const known = knownFeatures();
  for (const feature of features) {
    if (known.has(feature)) continue;
    throw new ServiceError(
      'PROVISION_INVALID',
      `--deactivate-feature ${feature} is not a feature of the virtual machine: check the address, or remove the flag`,
      { account: feature },
    );
  }
}

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
