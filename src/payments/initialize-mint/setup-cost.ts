import type { Rent } from '../../solana/rent.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import {
  QUEUE_ITEMS_DEFAULT,
  transferQueueBytes,
} from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import { EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { PERMISSION_BYTES } from '../../programs/permission/pdas.ts';
import type { Account } from '../../solana/account.ts';
import { sumLamports } from '../fees/rent-costs.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import { RENT_PDA_TARGET_LAMPORTS } from '../fees/shuttle-costs.ts';

/** The working balance of a new queue besides its rent, lamports (ephemeral SPL token program). */
const QUEUE_BUFFER_LAMPORTS = 100_000_000n;

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
 * The cost of setting up a mint, lamports: the rent of what is missing, the funds of queue and rent PDA, and
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
