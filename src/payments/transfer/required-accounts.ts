import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMintVault, readVault } from '../accounts/deposit-accounts.ts';
import type { Warning } from '../building/built-transaction.ts';
import { warnOfFrozenVault } from '../building/warnings.ts';
import type { TransferInput } from './input.ts';
import type { TransferTask } from './task.ts';
import { hasEffect } from './warnings.ts';

/** The addresses that {@link requireVault} checks, by name. */
export function vaultAddresses({ facts }: TransferTask) {
  const { vault, vaultAta } = deriveMintVault(facts.mint, facts.tokenProgram);
  return { vault: vault.address, vaultAta };
}

/**
 * Requires the vault through which tokens enter the rollup, unless the transfer creates it. Returns warnings
 * about anything that keeps it from accepting tokens.
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

const FLAGS = ['initRecipientAta', 'initIfMissing', 'initAtasIfMissing', 'initVaultIfMissing'] as const;

/**
 * Rejects a gasless transfer that would create an account: its owner could close it and keep the rent at the
 * sponsor's expense. A flag whose accounts exist has no effect, and clients of the hosted API send every
 * flag.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS with the flag and the missing account.
 */
export async function requireCreated(input: TransferInput, task: TransferTask): Promise<void> {
  const { chain, request } = task;
  if (request.sponsor === null) return;
  const wanted = FLAGS.filter((flag) => input[flag] === true && hasEffect(flag, request.route));
  const needed = wanted.flatMap((flag) => accountsOf(flag, task).map((address) => ({ flag, address })));
  if (needed.length === 0) return;
  const accounts = await chain.getAccounts(needed.map(({ address }) => address));
  const missing = needed.find((_, index) => (accounts[index] ?? null) === null);
  if (missing === undefined) return;
  const { flag, address } = missing;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `${flag} cannot be used with gasless while ${address} does not exist, because the sponsor does not pay rent for others; create the account first, or leave out gasless`,
    { field: flag, account: address },
  );
}

function accountsOf(flag: (typeof FLAGS)[number], task: TransferTask): readonly Address[] {
  const { request, facts, sourceAta } = task;
  const eata = deriveEata(request.to, facts.mint).address;
  switch (flag) {
    case 'initRecipientAta':
      return [deriveAta(request.to, facts.mint, facts.tokenProgram).address];
    case 'initIfMissing':
      return [eata, deriveDelegationRecord(eata).address];
    case 'initAtasIfMissing':
      return [sourceAta];
    case 'initVaultIfMissing':
      return Object.values(vaultAddresses(task));
  }
}
