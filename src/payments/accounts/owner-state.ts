import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import type { Rent } from '../../solana/rent.ts';
import { requireRent } from '../fees/rent-costs.ts';
import { deriveFeesVaultOf, expectedOwnerAta, type DepositAccounts } from './deposit-accounts.ts';
import { isShuttleBlocked } from './shuttle.ts';
import { readTokenAccount, type TokenAccountState, type WayOut } from './token-account.ts';

/**
 * The chain's state of an owner who deposits or withdraws, of the validator, and of a shuttle between them.
 */
export interface OwnerState {
  /** The owner's token account; null if it does not exist. */
  readonly ownerTokens: TokenAccountState | null;
  /** Lamports of the owner's wallet. */
  readonly ownerLamports: bigint;
  /** Whether the delegation program admits the validator. Otherwise it could never settle. */
  readonly validatorAdmitted: boolean;
  /** 0 if it was not read because it does not matter. */
  readonly rentPdaLamports: bigint;
  readonly rent: Rent;
  /** Whether the shuttle cannot be created; false without one. */
  readonly shuttleTaken: boolean;
}

/** The addresses of the owner's state, without shuttles. */
export const addressesOfOwner = (accounts: DepositAccounts, validator: Address) => ({
  eata: accounts.eata.address,
  record: accounts.delegation.record,
  ownerAta: accounts.ownerAta,
  wallet: accounts.owner,
  feesVault: deriveFeesVaultOf(validator),
  rent: RENT_SYSVAR,
});

/** The accounts at these addresses. */
type OwnerAccounts = Readonly<
  Record<'ownerAta' | 'wallet' | 'feesVault' | 'rentPda' | 'rent' | 'shuttle', Account | null>
>;

/**
 * Checks the accounts of an owner already known to be a wallet.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE if the owner's ATA is not what its
 *   address implies.
 */
export const judgeOwner = (accounts: DepositAccounts, found: OwnerAccounts, wayOut: WayOut): OwnerState => ({
  ownerTokens: readTokenAccount(expectedOwnerAta(accounts), found.ownerAta, wayOut),
  ownerLamports: found.wallet?.lamports ?? 0n,
  validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
  rentPdaLamports: found.rentPda?.lamports ?? 0n,
  rent: requireRent(found.rent),
  shuttleTaken: isShuttleBlocked(found.shuttle),
});
