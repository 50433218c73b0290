import type { Address } from '../../solana/address.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Shuttle } from '../accounts/shuttle.ts';
import type { WrapNeeds } from '../mints/wrapped-sol.ts';

/** What a deposit is to contain. */
export interface DepositPlan {
  readonly accounts: DepositAccounts;
  /** Pays for what is created, besides the fee. */
  readonly payer: Address;
  /** Base units. */
  readonly amount: bigint;
  /** Who the eATA is delegated to. */
  readonly validator: Address;
  readonly creates: DepositCreations;
  /** Null for a public deposit. */
  readonly permission: PermissionPlan | null;
  /** What carries the tokens into the rollup; null deposits directly into the vault, the only form of layout A. */
  readonly shuttle: Shuttle | null;
  /** What native SOL is wrapped first; layout B only. */
  readonly wrap: WrapNeeds;
}

/** Which accounts a deposit creates where they are missing. */
export interface DepositCreations {
  readonly eata: boolean;
  readonly vault: boolean;
  /** On layout B a direct deposit has no place for it. */
  readonly ownerAta: boolean;
}

/** The permission account of a private deposit. */
export interface PermissionPlan {
  readonly flags: number;
  /** Whether one that is there is set anew, as its creation leaves it as it is; layout A only. */
  readonly resets?: boolean;
  /** Whom it is delegated to as well; layout A only. */
  readonly delegateTo: Address | null;
}

/** Permission flags of a private deposit: the owner alone, whom the program makes the authority by itself. */
const OWNER_ONLY = 0;

/** The permission of a deposit that its owner alone may read. */
export const ownersPermission = (resets: boolean): PermissionPlan => ({
  flags: OWNER_ONLY,
  resets,
  delegateTo: null,
});
