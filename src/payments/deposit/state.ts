import type { Shuttle } from '../accounts/shuttle.ts';
import type { DepositAccounts } from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { addressesOfOwner, judgeOwner, type OwnerState } from '../accounts/owner-state.ts';
import { forPaying, type TokenAccountState } from '../accounts/token-account.ts';
import { readVault } from '../accounts/vault-state.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { RENT_PDA } from '../fees/shuttle-costs.ts';
import { judgeEata, type EataStatus } from '../rollup-state/eata-status.ts';
import { isSettlingOn } from '../rollup-state/settling.ts';
import type { DepositLayout } from './deposit-layout.ts';
import { judgePermission, type LeftPermission } from './permission-status.ts';
import type { DepositRequest } from './request.ts';

/** The chain's state of the accounts of a deposit. */
export interface DepositState extends OwnerState {
  readonly eata: EataStatus;
  /** The vault's token account; null if it has to be created. */
  readonly vault: TokenAccountState | null;
  /** Null if there is none. */
  readonly permission: LeftPermission | null;
}

/**
 * Reads the accounts of a deposit, all at one slot, and refuses an eATA it cannot add to.
 *
 * @throws {ServiceError} INVALID_OWNER if the owner's account is not a wallet; as {@link
 *   DepositLayout.requireAddable}; TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE if an account is not what
 *   its address implies.
 */
export async function readDepositState(
  { chain, validator }: Pick<DepositRequest, 'chain' | 'validator'>,
  layout: DepositLayout,
  accounts: DepositAccounts,
  shuttle: Shuttle | null,
): Promise<DepositState> {
  const address = accounts.eata.address;
  // Listed one by one: spreading one object into another and extending it takes V8 many microseconds.
  const { eata: eataAt, record, ownerAta, wallet, feesVault, rent } = addressesOfOwner(accounts, validator);
  // The rollup is asked together with base. Asked later, it could have forgotten an undelegation that this
  // read of base does not show yet.
  const [isSettling, found] = await Promise.all([
    isSettlingOn(chain, address),
    readNamedAccounts(chain, {
      eata: eataAt,
      record,
      ownerAta,
      wallet,
      feesVault,
      rent,
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
    rent: owner.rent,
    shuttleTaken: owner.shuttleTaken,
  };
}
