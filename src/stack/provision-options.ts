import type { ProvisionTexts } from '../ledger/provision/read-provision.ts';

/** The operator's additions to the genesis accounts, from the command line. */
export interface ProvisionOptions extends ProvisionTexts {
  /** RPC URL of the cluster to copy from. It may contain an API key. */
  readonly url: string | null;
  /** Whether missing accounts are copied when they are first used. */
  readonly fork: boolean;
  /** First slot of a new ledger. */
  readonly warpSlot: number | null;
  /** Whether a new ledger has the programs and mints of private payments. */
  readonly genesisPrograms: boolean;
  /** Whether to deploy the programs of `LOCALNET_PROGRAMS` to a stored ledger with other programs. */
  readonly upgradePrograms: boolean;
}

/** No additions to the genesis accounts. */
export const NOTHING_PROVIDED: ProvisionOptions = {
  accounts: [],
  accountDirs: [],
  programs: [],
  upgradeablePrograms: [],
  clone: [],
  maybeClone: [],
  cloneUpgradeablePrograms: [],
  deepCloneTables: [],
  snapshots: [],
  url: null,
  fork: false,
  mint: null,
  cliConfig: null,
  epochSlots: null,
  rentPerByte: null,
  deactivateFeatures: [],
  cloneFeatureSet: false,
  warpSlot: null,
  genesisPrograms: true,
  upgradePrograms: false,
};
