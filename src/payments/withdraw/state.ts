import type { Chain } from '../../chain/chain.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { TokenHolding } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { deriveFeesVaultOf, type DepositAccounts } from '../deposit-accounts.ts';
import { judgeEata, type EataStatus } from '../eata-status.ts';
import { readNamedAccounts } from '../named-accounts.ts';
import { readOwnerTokens } from '../owner-tokens.ts';
import { RENT_PDA } from '../rent-pda.ts';
import { isShuttleTaken, type Shuttle } from '../shuttle.ts';
import { requireWalletAccount } from '../wallet.ts';

/** What the chain says about the accounts of a withdrawal. */
export interface WithdrawState {
  readonly eata: EataStatus;
  /** What the owner's token account holds, null where there is none. */
  readonly ownerTokens: TokenHolding | null;
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
 * @throws {ServiceError} INVALID_OWNER when the owner's account is no wallet; ACCOUNT_UNREADABLE when an account has
 *   another form than its program gives it.
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
    ownerTokens: readOwnerTokens(accounts, found.ownerAta),
    ownerLamports: found.wallet?.lamports ?? 0n,
    validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
    rentPdaLamports: found.rentPda?.lamports ?? 0n,
    shuttleTaken: isShuttleTaken(found.shuttle),
  };
}
