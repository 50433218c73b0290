import type { LedgerShape } from '../ledger-shape.ts';
import type { Provision } from '../read-provision.ts';

/** A shape like that of every other ledger. */
export const USUAL_SHAPE: LedgerShape = {
  epochSlots: null,
  rentPerByte: null,
  rentOf: null,
  inactiveFeatures: [],
  featuresOf: null,
};

/** A provision that puts nothing on a ledger. */
export const EMPTY_PROVISION: Provision = {
  accounts: [],
  accountFolders: [],
  programs: [],
  snapshots: [],
  mint: null,
  clones: null,
  shape: USUAL_SHAPE,
};
