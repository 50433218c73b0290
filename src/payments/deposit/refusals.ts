import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';

/** The error for a missing eATA that the caller asked not to create. */
export const eataMissing = (eata: Address): ServiceError =>
  new ServiceError(
    'EATA_NOT_INITIALIZED',
    `The ephemeral token account ${eata} does not exist yet; leave out initIfMissing or set it to true`,
    { field: 'initIfMissing', eata },
  );

/**
 * The error for a missing vault that the request does not create.
 *
 * @param mend how to use initVaultIfMissing.
 */
export const vaultMissing = (mint: Address, mend: string): ServiceError =>
  new ServiceError('VAULT_NOT_INITIALIZED', `The vault of mint ${mint} does not exist yet; ${mend}`, {
    field: 'initVaultIfMissing',
    mint,
  });
