import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import {
  QUEUE_ITEMS_DEFAULT,
  transferQueueBytes,
} from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { EATA_BYTES_B, VAULT_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { PERMISSION_BYTES } from '../../programs/permission/state.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Rent } from '../../solana/rent.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import { deriveFeesVaultOf } from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/read-accounts.ts';
import { queueStatusOf } from '../accounts/transfer-queue.ts';
import { RENT_PDA, RENT_PDA_TARGET_LAMPORTS, requireRent, sumLamports } from '../fees/costs.ts';
import { readValidator } from '../rollup-state/eata-status.ts';
import type { MintSetupAccounts } from './plan.ts';

/** The initial lamports of a new queue, in addition to its rent (ephemeral SPL token program). */
export const QUEUE_BUFFER_LAMPORTS = 100_000_000n;

/** A queue has three seeds ("queue", mint, validator), so its metadata is longer than that of an eATA. */
const QUEUE_METADATA_BYTES = DELEGATION_METADATA_BYTES + 4 + 'queue'.length;

/** Sizes of the accounts, bytes. A delegation record is counted together with its metadata. */
const SIZES = {
  queue: [transferQueueBytes(QUEUE_ITEMS_DEFAULT)],
  queuePermission: [PERMISSION_BYTES],
  queueEata: [EATA_BYTES_B],
  queueRecord: [DELEGATION_RECORD_BYTES, QUEUE_METADATA_BYTES],
  queueEataRecord: [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES],
  vault: [VAULT_BYTES_B],
  vaultEata: [EATA_BYTES_B],
  vaultEataRecord: [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES],
  rentPda: [0],
} as const;

/** The token accounts, whose size depends on the mint. */
const ATAS = ['queueAta', 'vaultAta'] as const;

/** The accounts of a mint's setup; null for those missing. */
type SetupAccounts = {
  readonly [Name in keyof typeof SIZES | (typeof ATAS)[number]]: Account | null;
};

/**
 * The cost of setting up a mint, lamports: the rent of missing accounts, the funds of queue and rent PDA, and
 * the fee.
 *
 * @param ataSize size of a token account of the mint, bytes.
 */
export function lamportsOfSetup(rent: Rent, found: SetupAccounts, ataSize: number): bigint {
  const missing = (Object.keys(SIZES) as (keyof typeof SIZES)[]).filter((name) => found[name] === null);
  const missingAtas = ATAS.filter((name) => found[name] === null);
  return sumLamports(
    rent,
    [...missing.flatMap((name) => SIZES[name]), ...missingAtas.map(() => ataSize)],
    found.queue === null ? QUEUE_BUFFER_LAMPORTS : 0n,
    RENT_PDA_TARGET_LAMPORTS,
    LAMPORTS_PER_SIGNATURE,
  );
}

/** The chain's state of a mint's setup on a validator. */
export interface MintSetupState {
  readonly payerLamports: bigint;
  /** The minimum cost given the accounts that already exist, lamports. */
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
  const isQueueReady = queueStatusOf(accounts.queue, found.queue, accounts) === 'delegated';
  requireUninitialized(accounts, isQueueReady, found.vaultEataRecord);
  return {
    payerLamports: found.payer?.lamports ?? 0n,
    lamportsNeeded: lamportsOfSetup(requireRent(found.rent), found, ataSize),
    validatorAdmitted: found.feesVault?.owner === DELEGATION_PROGRAM,
  };
}

function requireUninitialized(
  { mint, validator, queue, vaultEata }: MintSetupAccounts,
  isQueueReady: boolean,
  vaultEataRecord: Account | null,
): void {
  const vaultValidator = readValidator(vaultEata, vaultEataRecord, EPHEMERAL_TOKEN_PROGRAM);
  if (vaultValidator !== null && vaultValidator !== validator) {
    throw new ServiceError(
      'EATA_VALIDATOR_MISMATCH',
      `The vault of mint ${mint} (its ephemeral token account ${vaultEata}) is delegated to validator ${vaultValidator}, and the program cannot also delegate it to ${validator}; use validator ${vaultValidator} for this mint`,
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
