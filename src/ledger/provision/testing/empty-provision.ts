import { USUAL_SHAPE } from '../ledger-shape.ts';
import type { Provision } from '../provision.ts';

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
