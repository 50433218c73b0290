import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { addressesOfOwner, judgeOwner, type OwnerState } from '../accounts/owner-state.ts';
import type { Shuttle } from '../accounts/shuttle.ts';
import { forWithdrawing } from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { RENT_PDA } from '../fees/shuttle-costs.ts';
import { judgeEata, type EataStatus } from '../rollup-state/eata-status.ts';

/** The chain's state of the accounts of a withdrawal. */
export interface WithdrawState extends OwnerState {
  readonly eata: EataStatus;
}

/**
 * Reads the accounts of a withdrawal, all at one slot.
 *
 * @throws {ServiceError} INVALID_OWNER if the owner's account is not a wallet; TOKEN_ACCOUNT_OWNER_MISMATCH,
 *   ACCOUNT_UNREADABLE if an account is not what its address implies.
 */
export async function readWithdrawState(
  chain: Chain,
  accounts: DepositAccounts,
  validator: Address,
  shuttle: Shuttle | null,
): Promise<WithdrawState> {
  const found = await readNamedAccounts(chain, {
    ...addressesOfOwner(accounts, validator),
    rentPda: shuttle === null ? null : RENT_PDA,
    shuttle: shuttle === null ? null : shuttle.accounts.metadata,
  });
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  return {
    eata: judgeEata(accounts.eata.address, found.eata, found.record, chain.layout),
    ...judgeOwner(accounts, found, forWithdrawing),
  };
}
