import type { Address } from '../../solana/address.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Shuttle } from '../accounts/shuttle.ts';
import type { WrapNeeds } from '../mints/wrapped-sol.ts';

/** The contents of a deposit. */
export interface DepositPlan {
  readonly accounts: DepositAccounts;
  /** Pays the fee and the rent of new accounts. */
  readonly payer: Address;
  /** Base units. */
  readonly amount: bigint;
  /** The validator the eATA is delegated to. */
  readonly validator: Address;
  readonly creates: DepositCreations;
  /** Null for a public deposit. */
  readonly permission: PermissionPlan | null;
  /** The shuttle that carries the tokens; null for a direct deposit, the only form of layout A. */
  readonly shuttle: Shuttle | null;
  /** What native SOL has to wrap first; layout B only. */
  readonly wrap: WrapNeeds;
}

/** The accounts a deposit creates if they are missing. */
export interface DepositCreations {
  readonly eata: boolean;
  readonly vault: boolean;
  /** A direct deposit on layout B cannot create it. */
  readonly ownerAta: boolean;
}

/** The permission account of a private deposit. */
export interface PermissionPlan {
  readonly flags: number;
  /** Whether an existing one is reset, as its creation would not change it; layout A only. */
  readonly resets?: boolean;
  /** The validator it is delegated to as well; layout A only. */
  readonly delegateTo: Address | null;
}

/** Permission flags of a private deposit: the owner alone, to whom the program gives the authority itself. */
const OWNER_ONLY = 0;

/** A permission that lets only the owner read. */
export const ownersPermission = (resets: boolean): PermissionPlan => ({
  flags: OWNER_ONLY,
  resets,
  delegateTo: null,
});
