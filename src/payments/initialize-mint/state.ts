import { requireRent } from '../fees/rent-costs.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { readValidator } from '../rollup-state/delegation-record.ts';
import { deriveFeesVaultOf } from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/named-accounts.ts';
import { RENT_PDA } from '../fees/shuttle-costs.ts';
import { judgeTransferQueue } from '../accounts/transfer-queue.ts';
import type { MintSetupAccounts } from './accounts.ts';
import { lamportsOfSetup } from './setup-cost.ts';

/** The chain's state of a mint's setup on a validator. */
export interface MintSetupState {
  readonly payerLamports: bigint;
  /** The least it costs given what already exists, lamports. */
  readonly lamportsNeeded: bigint;
  /** Whether the delegation program admits the validator. Otherwise it could never settle. */
  readonly validatorAdmitted: boolean;
}

/**
 * Reads which of a mint's accounts on a validator exist.
 *
 * @param ataSize size of a token account of the mint, bytes.
 * @throws {ServiceError} MINT_ALREADY_INITIALIZED if nothing is left to do; EATA_VALIDATOR_MISMATCH if the
 *   vault is delegated to another validator, which the program cannot share; ACCOUNT_UNREADABLE.
 */
export async function readMintSetupState(
  chain: Chain,
  accounts: MintSetupAccounts,
  payer: Address,
  ataSize: number,
): Promise<MintSetupState> {
  const found = await readNamedAccounts(chain, {
    queue: accounts.queue,
    queuePermission: accounts.queuePermission,
    queueEata: accounts.queueEata,
    queueAta: accounts.queueAta,
    queueRecord: accounts.queueDelegation.record,
    queueEataRecord: accounts.queueEataDelegation.record,
    vault: accounts.vault.address,
    vaultEata: accounts.vaultEata,
    vaultAta: accounts.vaultAta,
    vaultEataRecord: accounts.vaultEataDelegation.record,
    rentPda: RENT_PDA,
    payer,
    rent: RENT_SYSVAR,
    feesVault: deriveFeesVaultOf(accounts.validator),
  });
  const isQueueReady = judgeTransferQueue(accounts.queue, found.queue, accounts) === 'delegated';
  refuseNeedless(accounts, isQueueReady, found.vaultEataRecord);
  return {
    payerLamports: found.payer?.lamports ?? 0n,
    lamportsNeeded: lamportsOfSetup(requireRent(found.rent), found, ataSize),
    validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
  };
}

function refuseNeedless(
  { mint, validator, queue, vaultEata }: MintSetupAccounts,
  isQueueReady: boolean,
  vaultEataRecord: Account | null,
): void {
  const vaultValidator = readValidator(vaultEata, vaultEataRecord, EPHEMERAL_TOKEN_PROGRAM);
  if (vaultValidator !== null && vaultValidator !== validator) {
    throw new ServiceError(
      'EATA_VALIDATOR_MISMATCH',
      `The vault of mint ${mint} (its ephemeral token account ${vaultEata}) is delegated to validator ${vaultValidator}, and the program cannot give it to ${validator} as well; use validator ${vaultValidator} for this mint`,
      { field: 'validator', mint, validator: vaultValidator, requested: validator },
    );
  }
  if (!isQueueReady || vaultValidator === null) return;
  throw new ServiceError(
    'MINT_ALREADY_INITIALIZED',
    `mint ${mint} is already initialised for validator ${validator} (transfer queue ${queue}): there is nothing to send`,
    { field: 'mint', mint, validator, transferQueue: queue },
  );
}
