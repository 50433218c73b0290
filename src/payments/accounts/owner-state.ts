import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveFeesVaultOf, expectedOwnerAta, type DepositAccounts } from './deposit-accounts.ts';
import { isShuttleTaken } from './shuttle.ts';
import { readTokenAccount, type TokenAccountState, type WayOut } from './token-account.ts';

/** What the chain says about an owner who deposits or withdraws, the validator and a shuttle between them. */
export interface OwnerState {
  /** What the owner's token account holds, null where there is none. */
  readonly ownerTokens: TokenAccountState | null;
  /** Lamports of the owner's wallet. */
  readonly ownerLamports: bigint;
  /** Whether the delegation program knows the validator, so that it could ever settle. */
  readonly validatorAdmitted: boolean;
  /** 0 where it was not read, as it does not matter. */
  readonly rentPdaLamports: bigint;
  /** Whether the shuttle exists already; false without one. */
  readonly shuttleTaken: boolean;
}

/** Where it stands, apart from shuttles. */
export const addressesOfOwner = (accounts: DepositAccounts, validator: Address) => ({
  eata: accounts.eata.address,
  record: accounts.delegation.record,
  ownerAta: accounts.ownerAta,
  wallet: accounts.owner,
  feesVault: deriveFeesVaultOf(validator),
});

/** The accounts that tell it. */
type OwnerAccounts = Readonly<
  Record<'ownerAta' | 'wallet' | 'feesVault' | 'rentPda' | 'shuttle', Account | null>
>;

/**
 * Judges the accounts of an owner who is known to be a wallet.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH and ACCOUNT_UNREADABLE when the owner's ATA is not what its address
 *   stands for.
 */
export const judgeOwner = (accounts: DepositAccounts, found: OwnerAccounts, wayOut: WayOut): OwnerState => ({
  ownerTokens: readTokenAccount(expectedOwnerAta(accounts), found.ownerAta, wayOut),
  ownerLamports: found.wallet?.lamports ?? 0n,
  validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
  rentPdaLamports: found.rentPda?.lamports ?? 0n,
  shuttleTaken: isShuttleTaken(found.shuttle),
});
