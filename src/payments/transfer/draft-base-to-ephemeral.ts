import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { derivePermission, PERMISSION_BYTES } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/read-accounts.ts';
import { readWithFreshShuttle, type Shuttle } from '../accounts/shuttle.ts';
import { forBeingPaid, readTokenAccount } from '../accounts/token-account.ts';
import { warnOfArrival } from '../building/warnings.ts';
import { RENT_PDA, requireRent, SHUTTLE_FEE_LAMPORTS } from '../fees/costs.ts';
import { readReleased } from '../rollup-state/delegated-eata.ts';
import { eataStatusOf, requireValidator } from '../rollup-state/eata-status.ts';
import {
  baseAddresses,
  checkBaseAccounts,
  delegationBytes,
  payerLamports,
  wrapNeedsOf,
} from './base-accounts.ts';
import { planBaseToEphemeral } from './plan.ts';
import { requireVault, vaultAddresses } from './required-accounts.ts';
import { ataBytesOf, paymentOf, type TransferDraft, type TransferTask } from './task.ts';
import { warnOfRecipient, warnOfRentPda } from './warnings.ts';

/**
 * Drafts a private transfer from base to the recipient's account on the rollup.
 *
 * @throws {ServiceError} VAULT_NOT_INITIALIZED; EATA_VALIDATOR_MISMATCH if the recipient is on another
 *   rollup; TOKEN_ACCOUNT_OWNER_MISMATCH if the recipient's token account belongs to someone else; as
 *   {@link checkBaseAccounts}.
 */
export async function draftBaseToEphemeral(task: TransferTask, validator: Address): Promise<TransferDraft> {
  const { chain, random, request, facts } = task;
  const recipient = recipientAccounts(task);
  const owner = { owner: request.from, mint: facts.mint, tokenProgram: facts.tokenProgram };
  const { shuttle, state } = await readWithFreshShuttle(owner, random, (drawn) =>
    readState(task, recipient, drawn),
  );
  const { accounts, status } = state;
  const vaultWarnings = requireVault(task, accounts);
  const arrivesIn = readTokenAccount(recipient, accounts.recipientAta, forBeingPaid);
  requireValidator(recipient.eata, status, validator);
  const wrap = wrapNeedsOf(task, accounts);
  const costs = {
    rent: requireRent(accounts.rent),
    createdBytes: createdBytes(task, state),
    lamports: SHUTTLE_FEE_LAMPORTS + wrap.rentTopUpLamports,
    wrapLamports: wrap.wrapLamports,
  };
  const warnings = checkBaseAccounts(task, accounts, costs);
  const delegates = request.creates.recipient;
  const unread = delegates ? await readReleased(chain, { status, validator, ata: recipient.ata, facts }) : [];
  const advice =
    'pass initIfMissing true to create it here, or have the recipient deposit first, or the tokens cannot arrive.';
  return {
    instructions: planBaseToEphemeral(
      { wrap, shuttle, ...paymentOf(task) },
      { ...recipient, init: request.creates.recipient },
      validator,
    ),
    warnings: [
      ...warnings,
      ...vaultWarnings,
      ...warnOfArrival({ ...recipient, decimals: facts.decimals, memoAdvice: null }, arrivesIn),
      ...(request.creates.recipient ? [] : warnOfRecipient(request.to, status, validator, advice)),
      ...warnOfRentPda(request, { ...costs, rentPda: accounts.rentPda }, wrap),
      ...unread,
    ],
    notes: [],
    lookupTable: null,
    payerLamports: payerLamports(request, costs),
  };
}

type Recipient = ReturnType<typeof recipientAccounts>;

function recipientAccounts({ request, facts }: TransferTask) {
  const owner = request.to;
  const { mint, tokenProgram } = facts;
  const eata = deriveEata(owner, mint).address;
  return {
    owner,
    mint,
    tokenProgram,
    eata,
    ata: deriveAta(owner, mint, tokenProgram).address,
    permission: derivePermission(eata).address,
    delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM),
  };
}

async function readState(task: TransferTask, recipient: Recipient, shuttle: Shuttle) {
  const { chain } = task;
  const accounts = await readNamedAccounts(chain, {
    rentPda: RENT_PDA,
    eata: recipient.eata,
    record: recipient.delegation.record,
    recipientAta: recipient.ata,
    permission: recipient.permission,
    shuttle: shuttle.accounts.metadata,
    ...baseAddresses(task),
    ...vaultAddresses(task),
  });
  const status = eataStatusOf(recipient.eata, accounts.eata, accounts.record, chain.layout);
  return { accounts, status, shuttleTaken: accounts.shuttle !== null };
}

/** Sizes of the accounts the payer creates permanently, bytes. */
function createdBytes(task: TransferTask, state: Awaited<ReturnType<typeof readState>>): number[] {
  const { request } = task;
  const { accounts, status } = state;
  const sizes: number[] = [];
  if (request.creates.sourceAta && accounts.source === null) sizes.push(ataBytesOf(task));
  if (!request.creates.recipient) return sizes;
  if (accounts.recipientAta === null) sizes.push(ataBytesOf(task));
  if (accounts.permission === null) sizes.push(PERMISSION_BYTES);
  return [...sizes, ...delegationBytes(status, request)];
}
