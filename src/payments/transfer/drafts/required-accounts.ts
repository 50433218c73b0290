import { ServiceError } from '../../../errors/service-error.ts';
import { DELEGATION_PROGRAM } from '../../../programs/addresses.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveMintVault } from '../../accounts/deposit-accounts.ts';
import type { Warning } from '../../building/built-transaction.ts';
import { readVault } from '../../accounts/vault-state.ts';
import { warnOfFrozenVault } from '../../warnings/account-warnings.ts';
import type { TransferTask } from '../transfer-task.ts';

/** The addresses that {@link requireVault} checks, by name. */
export function vaultAddresses({ facts }: TransferTask) {
  const { vault, vaultAta } = deriveMintVault(facts.mint, facts.tokenProgram);
  return { vault: vault.address, vaultAta };
}

/**
 * Requires the vault through which tokens enter the rollup, unless the transfer creates it. Returns warnings
 * about what currently keeps it from accepting tokens.
 *
 * @throws {ServiceError} VAULT_NOT_INITIALIZED; as {@link readVault}.
 */
export function requireVault(
  { request, facts }: TransferTask,
  accounts: { readonly vault: Account | null; readonly vaultAta: Account | null },
): Warning[] {
  const { mint, tokenProgram } = facts;
  const expected = { mint, tokenProgram, ...deriveMintVault(mint, tokenProgram) };
  const vault = readVault(expected, accounts);
  if (vault !== null) return vault.state === 'frozen' ? [warnOfFrozenVault(expected.vaultAta)] : [];
  if (request.creates.vault) return [];
  throw new ServiceError(
    'VAULT_NOT_INITIALIZED',
    `The vault of mint ${facts.mint} does not exist yet; initialise the mint first (spl.initializeMint), or pass initVaultIfMissing true`,
    { field: 'initVaultIfMissing', mint: facts.mint },
  );
}

/**
 * Requires the queue that pays the recipient to exist and be delegated, unless the transfer creates it.
 * Otherwise nothing would ever be paid out.
 *
 * @throws {ServiceError} TRANSFER_QUEUE_NOT_INITIALIZED.
 */
export function requireQueue(
  { request, facts }: TransferTask,
  validator: Address,
  queue: Account | null,
): void {
  if (request.creates.vault || queue?.owner === DELEGATION_PROGRAM) return;
  throw new ServiceError(
    'TRANSFER_QUEUE_NOT_INITIALIZED',
    `Transfer queue is not initialized and delegated: mint ${facts.mint} has none on validator ${validator} yet; initialise the mint first (spl.initializeMint)`,
    { field: 'mint', mint: facts.mint, validator },
  );
}
