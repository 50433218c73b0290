import type { LedgerShape } from '../ledger-shape.ts';
import type { Provision } from '../read-provision.ts';

/** The default shape. */
export const USUAL_SHAPE: LedgerShape = {
  epochSlots: null,
  rentPerByte: null,
  rentOf: null,
  inactiveFeatures: [],
  featuresOf: null,
};

/** A provision that adds nothing to a ledger. */
export const EMPTY_PROVISION: Provision = {
  accounts: [],
  accountFolders: [],
  programs: [],
  snapshots: [],
  mint: null,
  clones: null,
  shape: USUAL_SHAPE,
};
