import type { Chain } from '../../chain/chain.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { deriveFeesVaultOf, expectedOwnerAta, type DepositAccounts } from '../accounts/deposit-accounts.ts';
import { judgeEata, staysDelegated } from '../rollup-state/eata-status.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { requireOwnValidator } from '../rollup-state/other-validator.ts';
import { isSettlingOn, stillSettling } from '../rollup-state/settling.ts';
import { forPaying, readTokenAccount, type TokenAccountState } from '../accounts/token-account.ts';
import { readVault } from '../accounts/vault-state.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { judgePermission, type LeftPermission } from './permission-status.ts';
import { alreadyDelegated } from './refusals.ts';

/** What the chain says about the accounts of a deposit on layout A. */
export interface DepositStateA {
  readonly eataExists: boolean;
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
}

const UNDELEGATE_FIRST =
  'Undelegate it on the rollup first (spl.undelegate; its tokens stay in it) and deposit again once the base ledger shows it.';

const NOT_HERE = 'Nothing can be added to it: deposit from another wallet.';

/**
 * Reads the accounts of a deposit as of one moment.
 *
 * @throws {ServiceError} INVALID_OWNER when the owner's account is no wallet; EATA_SETTLING, EATA_DELEGATED_ELSEWHERE and
 *   EATA_ALREADY_DELEGATED, since layout A cannot add to a delegated eATA; TOKEN_ACCOUNT_OWNER_MISMATCH and
 *   ACCOUNT_UNREADABLE when an account is not what its address stands for.
 */
export async function readDepositStateA(
  chain: Chain,
  accounts: DepositAccounts,
  validator: Address,
): Promise<DepositStateA> {
  const [isSettling, found] = await Promise.all([
    isSettlingOn(chain, accounts.eata.address),
    readNamedAccounts(chain, {
      eata: accounts.eata.address,
      record: accounts.delegation.record,
      vault: accounts.vault.address,
      vaultAta: accounts.vaultAta,
      permission: accounts.permission,
      ownerAta: accounts.ownerAta,
      wallet: accounts.owner,
      feesVault: deriveFeesVaultOf(validator),
    }),
  ]);
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  const eata = judgeEata(accounts.eata.address, found.eata, found.record, 'a');
  if (eata.at === 'rollup') {
    const place = { eata: accounts.eata.address, owner: accounts.owner, mint: accounts.mint };
    if (isSettling) throw stillSettling(place, 'nothing can be added to it', 'then deposit again');
    if (chain.rollup !== null && eata.validator !== null) {
      const { cluster } = chain;
      requireOwnValidator({ ...place, cluster }, eata.validator, await chain.rollup.identity(), NOT_HERE);
    }
    throw alreadyDelegated(
      place,
      eata.validator,
      `the program on this cluster cannot add to a delegated account. ${chain.rollup === null ? staysDelegated(chain.cluster) : UNDELEGATE_FIRST}`,
    );
  }
  return {
    eataExists: eata.at === 'base',
    vault: readVault(accounts, found),
    permission: judgePermission(accounts.permission, found.permission, accounts.owner),
    ownerTokens: readTokenAccount(expectedOwnerAta(accounts), found.ownerAta, forPaying),
    ownerLamports: found.wallet?.lamports ?? 0n,
    validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
  };
}
