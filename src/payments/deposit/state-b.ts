import type { Chain } from '../../chain/chain.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { deriveFeesVaultOf, expectedOwnerAta, type DepositAccounts } from '../accounts/deposit-accounts.ts';
import { judgeEata, type EataStatus } from '../rollup-state/eata-status.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { RENT_PDA } from '../fees/rent-pda.ts';
import { isShuttleTaken, type Shuttle } from '../accounts/shuttle.ts';
import { forPaying, readTokenAccount, type TokenAccountState } from '../accounts/token-account.ts';
import { readVault } from '../accounts/vault-state.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { judgePermission, type LeftPermission } from './permission-status.ts';

/** What the chain says about the accounts of a deposit on layout B. */
export interface DepositStateB {
  readonly eata: EataStatus;
  /** What the vault holds, null where it has to be created. */
  readonly vault: TokenAccountState | null;
  /** Null where there is none. */
  readonly permission: LeftPermission | null;
  /** What the owner's token account holds, null where there is none. */
  readonly ownerTokens: TokenAccountState | null;
  /** Lamports of the owner's wallet. */
  readonly ownerLamports: bigint;
  /** Whether the delegation program knows the validator, so that it could ever settle. */
  readonly validatorAdmitted: boolean;
  readonly rentPdaLamports: bigint;
  /** Whether the shuttle exists already; false without one. */
  readonly shuttleTaken: boolean;
}

/**
 * Reads the accounts of a deposit as of one moment.
 *
 * @throws {ServiceError} INVALID_OWNER when the owner's account is no wallet; TOKEN_ACCOUNT_OWNER_MISMATCH and
 *   ACCOUNT_UNREADABLE when an account is not what its address stands for.
 */
export async function readDepositStateB(
  chain: Chain,
  accounts: DepositAccounts,
  validator: Address,
  shuttle: Shuttle | null,
): Promise<DepositStateB> {
  const found = await readNamedAccounts(chain, {
    eata: accounts.eata.address,
    record: accounts.delegation.record,
    vault: accounts.vault.address,
    vaultAta: accounts.vaultAta,
    permission: accounts.permission,
    ownerAta: accounts.ownerAta,
    wallet: accounts.owner,
    feesVault: deriveFeesVaultOf(validator),
    rentPda: RENT_PDA,
    shuttle: shuttle === null ? null : shuttle.accounts.metadata,
  });
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  return {
    eata: judgeEata(accounts.eata.address, found.eata, found.record, 'b'),
    vault: readVault(accounts, found),
    permission: judgePermission(accounts.permission, found.permission, accounts.owner),
    ownerTokens: readTokenAccount(expectedOwnerAta(accounts), found.ownerAta, forPaying),
    ownerLamports: found.wallet?.lamports ?? 0n,
    validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
    rentPdaLamports: found.rentPda?.lamports ?? 0n,
    shuttleTaken: isShuttleTaken(found.shuttle),
  };
}
