import type { Chain } from '../../chain/chain.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { deriveFeesVaultOf, expectedOwnerAta, type DepositAccounts } from '../accounts/deposit-accounts.ts';
import { judgeEata, type EataStatus } from '../rollup-state/eata-status.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { RENT_PDA } from '../fees/rent-pda.ts';
import { isShuttleTaken, type Shuttle } from '../accounts/shuttle.ts';
import { forWithdrawing, readTokenAccount, type TokenAccountState } from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';

/** What the chain says about the accounts of a withdrawal. */
export interface WithdrawState {
  readonly eata: EataStatus;
  /** What the owner's token account holds, null where there is none. */
  readonly ownerTokens: TokenAccountState | null;
  /** Lamports of the owner's wallet. */
  readonly ownerLamports: bigint;
  /** Whether the delegation program knows the validator, so that it could ever settle. */
  readonly validatorAdmitted: boolean;
  /** 0 without a shuttle, which is all it matters for; like the next. */
  readonly rentPdaLamports: bigint;
  /** Whether the shuttle exists already. */
  readonly shuttleTaken: boolean;
}

/**
 * Reads the accounts of a withdrawal as of one moment.
 *
 * @throws {ServiceError} INVALID_OWNER when the owner's account is no wallet; TOKEN_ACCOUNT_OWNER_MISMATCH and
 *   ACCOUNT_UNREADABLE when an account is not what its address stands for.
 */
export async function readWithdrawState(
  chain: Chain,
  accounts: DepositAccounts,
  validator: Address,
  shuttle: Shuttle | null,
): Promise<WithdrawState> {
  const found = await readNamedAccounts(chain, {
    eata: accounts.eata.address,
    record: accounts.delegation.record,
    ownerAta: accounts.ownerAta,
    wallet: accounts.owner,
    feesVault: deriveFeesVaultOf(validator),
    rentPda: shuttle === null ? null : RENT_PDA,
    shuttle: shuttle === null ? null : shuttle.accounts.metadata,
  });
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  return {
    eata: judgeEata(accounts.eata.address, found.eata, found.record, chain.layout),
    ownerTokens: readTokenAccount(expectedOwnerAta(accounts), found.ownerAta, forWithdrawing),
    ownerLamports: found.wallet?.lamports ?? 0n,
    validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
    rentPdaLamports: found.rentPda?.lamports ?? 0n,
    shuttleTaken: isShuttleTaken(found.shuttle),
  };
}
