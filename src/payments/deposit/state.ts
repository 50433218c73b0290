import type { Shuttle } from '../accounts/shuttle.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { addressesOfOwner, judgeOwner, type OwnerState } from '../accounts/owner-state.ts';
import { forPaying, type TokenAccountState } from '../accounts/token-account.ts';
import { readVault } from '../accounts/vault-state.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { RENT_PDA } from '../fees/rent-pda.ts';
import { judgeEata, type EataStatus } from '../rollup-state/eata-status.ts';
import { isSettlingOn } from '../rollup-state/settling.ts';
import type { DepositLayout } from './deposit-layout.ts';
import { judgePermission, type LeftPermission } from './permission-status.ts';
import type { DepositRequest } from './request.ts';

/** What the chain says about the accounts of a deposit. */
export interface DepositState extends OwnerState {
  readonly eata: EataStatus;
  /** What the vault holds, null where it has to be created. */
  readonly vault: TokenAccountState | null;
  /** Null where there is none. */
  readonly permission: LeftPermission | null;
}

/**
 * Reads the accounts of a deposit as of one moment, and refuses those that it cannot add to.
 *
 * @throws {ServiceError} INVALID_OWNER when the owner's account is no wallet; those of
 *   {@link DepositLayout.requireAddable}; TOKEN_ACCOUNT_OWNER_MISMATCH and ACCOUNT_UNREADABLE when an account is not what
 *   its address stands for.
 */
export async function readDepositState(
  { chain, validator }: Pick<DepositRequest, 'chain' | 'validator'>,
  layout: DepositLayout,
  accounts: DepositAccounts,
  shuttle: Shuttle | null,
): Promise<DepositState> {
  const address = accounts.eata.address;
  // Members are named one by one: to spread an object into another and add to it takes V8 many microseconds.
  const { eata: eataAt, record, ownerAta, wallet, feesVault } = addressesOfOwner(accounts, validator);
  const [isSettling, found] = await Promise.all([
    isSettlingOn(chain, address),
    readNamedAccounts(chain, {
      eata: eataAt,
      record,
      ownerAta,
      wallet,
      feesVault,
      vault: accounts.vault.address,
      vaultAta: accounts.vaultAta,
      permission: accounts.permission,
      rentPda: layout.hasShuttles ? RENT_PDA : null,
      shuttle: shuttle === null ? null : shuttle.accounts.metadata,
    }),
  ]);
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  const eata = judgeEata(address, found.eata, found.record, chain.layout);
  if (eata.at === 'rollup') {
    const delegated = { validator: eata.validator, isSettling };
    await layout.requireAddable({ chain, accounts, validator, byShuttle: shuttle !== null, delegated });
  }
  const owner = judgeOwner(accounts, found, forPaying);
  return {
    eata,
    vault: readVault(accounts, found),
    permission: judgePermission(accounts.permission, found.permission, accounts.owner),
    ownerTokens: owner.ownerTokens,
    ownerLamports: owner.ownerLamports,
    validatorAdmitted: owner.validatorAdmitted,
    rentPdaLamports: owner.rentPdaLamports,
    shuttleTaken: owner.shuttleTaken,
  };
}
