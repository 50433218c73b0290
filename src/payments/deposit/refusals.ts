import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';

/** The eATA is missing, and the caller asked not to create it. */
export const eataMissing = (eata: Address): ServiceError =>
  new ServiceError(
    'EATA_NOT_INITIALIZED',
    `The ephemeral token account ${eata} does not exist yet; leave out initIfMissing or set it to true`,
    { field: 'initIfMissing', eata },
  );

/** The vault is missing, and nothing of the request creates it. `mend` says what to do with initVaultIfMissing. */
export const vaultMissing = (mint: Address, mend: string): ServiceError =>
  new ServiceError('VAULT_NOT_INITIALIZED', `The vault of mint ${mint} does not exist yet; ${mend}`, {
    field: 'initVaultIfMissing',
    mint,
  });
