import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../programs/addresses.ts';
import { delegatedValidator } from '../programs/delegation/record.ts';
import { EATA_BYTES_A } from '../programs/ephemeral-token/state.ts';
import { decodeTokenAccount, type TokenAccount } from '../programs/token/state.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { deriveFeesVaultOf, type DepositAccounts } from './deposit-accounts.ts';

/** What the chain says about the accounts of a deposit. */
export interface DepositState {
  readonly eataExists: boolean;
  readonly vaultExists: boolean;
  readonly permissionExists: boolean;
  /** The owner's token account, null where there is none. */
  readonly ownerTokens: TokenAccount | null;
  /** Lamports of the owner's wallet. */
  readonly ownerLamports: bigint;
  /** Whether the delegation program knows the validator, so that it could ever settle. */
  readonly validatorAdmitted: boolean;
}

/**
 * Reads the accounts of a deposit as of one moment.
 *
 * @throws {ServiceError} EATA_ALREADY_DELEGATED, since layout A cannot add to a delegated eATA; ACCOUNT_UNREADABLE when
 *   an account has another form than its program gives it.
 */
export async function readDepositState(
  chain: Chain,
  accounts: DepositAccounts,
  validator: Address,
): Promise<DepositState> {
  const [eata, record, vault, permission, ownerAta, wallet, feesVault] = (await chain.getAccounts([
    accounts.eata.address,
    accounts.delegation.record,
    accounts.vault.address,
    accounts.permission,
    accounts.ownerAta,
    accounts.owner,
    deriveFeesVaultOf(validator),
  ])) as [
    Account | null,
    Account | null,
    Account | null,
    Account | null,
    Account | null,
    Account | null,
    Account | null,
  ];
  refuseDelegated(accounts, eata, record);
  return {
    eataExists: isProgramAccount(eata, accounts.eata.address),
    vaultExists: vault !== null && vault.owner === EPHEMERAL_TOKEN_PROGRAM,
    permissionExists: permission !== null && permission.data.length > 0,
    ownerTokens: readOwnerTokens(accounts, ownerAta),
    ownerLamports: wallet?.lamports ?? 0n,
    validatorAdmitted: feesVault !== null && feesVault.owner === DELEGATION_PROGRAM,
  };
}

function refuseDelegated(accounts: DepositAccounts, eata: Account | null, record: Account | null): void {
  const validator = delegatedValidator(record);
  if (validator === null && eata?.owner !== DELEGATION_PROGRAM) return;
  const to = validator === null ? 'a validator' : `validator ${validator}`;
  throw new ServiceError(
    'EATA_ALREADY_DELEGATED',
    `The ephemeral token account ${accounts.eata.address} of ${accounts.owner} is already delegated to ${to}, and the program on this cluster cannot add to a delegated account. Undelegate it on the rollup first (its tokens stay in it), then deposit again.`,
    {
      eata: accounts.eata.address,
      owner: accounts.owner,
      mint: accounts.mint,
      ...(validator === null ? {} : { validator }),
    },
  );
}

function isProgramAccount(eata: Account | null, address: Address): boolean {
  // Lamports sent to the address before its creation leave a system account there, which the program then takes over.
  if (eata === null || eata.owner !== EPHEMERAL_TOKEN_PROGRAM) return false;
  if (eata.data.length !== EATA_BYTES_A) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The ephemeral token account ${address} has ${eata.data.length} bytes instead of ${EATA_BYTES_A}: this cluster runs another program layout than configured`,
      { eata: address },
    );
  }
  return true;
}

function readOwnerTokens(accounts: DepositAccounts, ownerAta: Account | null): TokenAccount | null {
  if (ownerAta === null || ownerAta.owner !== accounts.tokenProgram) return null;
  const tokens = decodeTokenAccount(ownerAta.data);
  if (tokens === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `The token account ${accounts.ownerAta} of ${accounts.owner} cannot be read as one`,
      { ata: accounts.ownerAta },
    );
  }
  return tokens;
}
