import { ServiceError } from '../../errors/service-error.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import { vaultAddresses } from './drafts/required-accounts.ts';
import type { TransferInput } from './request/transfer-input.ts';
import type { TransferTask } from './transfer-task.ts';
import { hasEffect } from './transfer-warnings.ts';

const FLAGS = ['initRecipientAta', 'initIfMissing', 'initAtasIfMissing', 'initVaultIfMissing'] as const;

/**
 * Refuses a gasless transfer that would have to create an account: whoever owns it could close it and keep
 * the rent, at the sponsor's loss. A flag whose accounts exist asks for nothing, and clients of the hosted
 * API send every flag.
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
    `${flag} cannot go with gasless while ${address} does not exist, since the sponsor does not pay rent for others; have it created first, or leave out gasless`,
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
