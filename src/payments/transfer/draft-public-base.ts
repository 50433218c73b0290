import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { EATA_BYTES_B, VAULT_BYTES_A, VAULT_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveMintVault } from '../accounts/deposit-accounts.ts';
import { isProgramAccount, readNamedAccounts } from '../accounts/read-accounts.ts';
import { forBeingPaid, readTokenAccount } from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { warnOfArrival, warnOfConfidentialOnly } from '../building/warnings.ts';
import { requireRent } from '../fees/costs.ts';
import { baseAddresses, checkBaseAccounts, payerLamports } from './base-accounts.ts';
import { planPublicBase } from './plan.ts';
import { ataBytesOf, paymentOf, type TransferDraft, type TransferTask } from './task.ts';
import { warnOfFrozenRecipient } from './warnings.ts';

/**
 * Drafts a public base-to-base transfer.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_NOT_FOUND if the recipient has no token account and none is to be
 *   created; INVALID_OWNER if the recipient is not a wallet; TOKEN_ACCOUNT_OWNER_MISMATCH if its token
 *   account belongs to someone else; as {@link checkBaseAccounts}.
 */
export async function draftPublicBase(task: TransferTask): Promise<TransferDraft> {
  const { chain, request, facts } = task;
  const recipientAta = deriveAta(request.to, facts.mint, facts.tokenProgram).address;
  const { vault } = deriveMintVault(facts.mint, facts.tokenProgram);
  const accounts = await readNamedAccounts(chain, {
    ...baseAddresses(task),
    recipient: recipientAta,
    recipientWallet: request.to,
    vault: request.creates.vault ? vault.address : null,
  });
  // A wallet that is delegated to a validator belongs to the delegation program and can be paid.
  if (accounts.recipientWallet?.owner !== DELEGATION_PROGRAM) {
    requireWalletAccount(request.to, 'to', accounts.recipientWallet);
  }
  const create = request.creates.recipientAta;
  const { mint, tokenProgram } = facts;
  const expected = { ata: recipientAta, owner: request.to, mint, tokenProgram };
  const tokens = readTokenAccount(expected, accounts.recipient, forBeingPaid);
  if (tokens === null && !create) throw recipientMissing(task, recipientAta);
  const createdBytes = [
    ...(tokens === null ? [ataBytesOf(task)] : []),
    ...(request.creates.vault ? vaultBytes(task, accounts.vault) : []),
    ...(request.creates.sourceAta && accounts.source === null ? [ataBytesOf(task)] : []),
  ];
  const costs = { rent: requireRent(accounts.rent), createdBytes, lamports: 0n, wrapLamports: 0n };
  return {
    instructions: planPublicBase(
      paymentOf(task),
      { owner: request.to, ata: recipientAta, create, needsMemo: tokens?.rules.needsMemo ?? false },
      chain.layout,
    ),
    warnings: [
      ...checkBaseAccounts(task, accounts, costs),
      ...(tokens?.state === 'frozen' ? [warnOfFrozenRecipient(recipientAta)] : []),
      ...(tokens?.rules.takesConfidentialOnly === true
        ? [warnOfConfidentialOnly('the recipient', recipientAta)]
        : []),
      ...warnOfArrival(
        {
          ...facts,
          ata: recipientAta,
          owner: request.to,
          memoAdvice: request.memo === null ? 'pass memo' : null,
        },
        tokens,
      ),
    ],
    notes: [],
    lookupTable: null,
    payerLamports: payerLamports(request, costs),
  };
}

/** Sizes of the accounts created with a missing vault. On layout B that includes an eATA. */
function vaultBytes(task: TransferTask, vault: Account | null): number[] {
  if (isProgramAccount(vault)) return [];
  return task.chain.layout === 'a'
    ? [VAULT_BYTES_A, ataBytesOf(task)]
    : [VAULT_BYTES_B, ataBytesOf(task), EATA_BYTES_B];
}

function recipientMissing({ request, facts }: TransferTask, ata: Address): ServiceError {
  return new ServiceError(
    'TOKEN_ACCOUNT_NOT_FOUND',
    `The recipient ${request.to} has no token account of mint ${facts.mint} (${ata}), so the transfer would fail; pass initRecipientAta true to create it at the sender's expense`,
    { field: 'to', ata, mint: facts.mint },
  );
}
