import { requireRent } from '../../fees/rent-costs.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { recipientOf } from '../../../programs/private-transfer/recipient.ts';
import { sealTransfer } from '../../../programs/private-transfer/seal-transfer.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveDelegationAccounts } from '../../accounts/deposit-accounts.ts';
import { judgeEata, requireValidator, type EataStatus } from '../../rollup-state/eata-status.ts';
import { readReleased } from '../../rollup-state/released-eata.ts';
import { chooseLookupTable } from './lookup-table.ts';
import { readNamedAccounts } from '../../accounts/named-accounts.ts';
import { isProgramAccount } from '../../accounts/program-account.ts';
import { recentCrankStatus } from '../../queue-crank/recent-status.ts';
import { remember } from '../../building/remember.ts';
import { RENT_PDA } from '../../fees/shuttle-costs.ts';
import { isShuttleBlocked, readWithFreshShuttle, type Shuttle } from '../../accounts/shuttle.ts';
import { queueAccountsOf } from './queue-accounts.ts';
import { requireQueue, requireVault, vaultAddresses } from './required-accounts.ts';
import { delegationBytes, wrapNeedsOf } from './shuttle-costs.ts';
import { PRIVATE_BASE_LAMPORTS } from '../request/transfer-fees.ts';
import { planPrivateBase, type EataAccounts } from './transfer-plan.ts';
import { unreadRecipient } from '../transfer-sentences.ts';
import { baseAddresses, judgeBaseAccounts, payerLamports } from './base-accounts.ts';
import { ataBytesOf, paymentOf, type TransferDraft, type TransferTask } from '../transfer-task.ts';
import { warnOfIdleQueue, warnOfRentPda } from '../transfer-warnings.ts';

/** Checking that a validator's address can be sealed for costs about as much as sealing. */
const recipients = remember(64, (validator) => recipientOf(validator as Address));

/**
 * Drafts a private base-to-base transfer, to a wallet or to the pool of a stealth handle.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if nothing can be sealed for the validator;
 *   STEALTH_POOL_NOT_FOUND, VAULT_NOT_INITIALIZED, TRANSFER_QUEUE_NOT_INITIALIZED, EATA_VALIDATOR_MISMATCH;
 *   as {@link judgeBaseAccounts}.
 */
export async function draftPrivateBase(task: TransferTask, validator: Address): Promise<TransferDraft> {
  const { chain, random, request, facts } = task;
  const recipient = recipients(validator);
  const eata = deriveEata(request.from, facts.mint).address;
  const sender = {
    owner: request.from,
    eata,
    delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM),
  };
  const owner = { owner: request.from, mint: facts.mint, tokenProgram: facts.tokenProgram };
  const { queue } = queueAccountsOf(facts.mint, validator, facts.tokenProgram);
  const [{ shuttle, state }, crank] = await Promise.all([
    readWithFreshShuttle(owner, random, (drawn) => readState(task, validator, sender, drawn)),
    recentCrankStatus(chain, queue, { mint: facts.mint, validator }),
  ]);
  const { accounts, status } = state;
  refusePool(task, accounts.pool);
  const vaultWarnings = requireVault(task, accounts);
  requireQueue(task, validator, accounts.queue);
  refuseOtherValidator(eata, status, validator);
  const wrap = wrapNeedsOf(task, accounts);
  const createsAta = request.creates.sourceAta && accounts.source === null;
  const costs = {
    rent: requireRent(accounts.rent),
    createdBytes: [...delegationBytes(status, request), ...(createsAta ? [ataBytesOf(task)] : [])],
    lamports: PRIVATE_BASE_LAMPORTS + wrap.rentTopUpLamports,
    wrapLamports: wrap.wrapLamports,
  };
  const warnings = judgeBaseAccounts(task, accounts, costs);
  const table = chooseLookupTable(tableOf(task), accounts.lookupTable);
  const unread = await readReleased(chain, { status, validator, ata: task.sourceAta, facts });
  const sealed = sealTransfer({ destinationOwner: request.to, terms: request.terms }, recipient, random);
  return {
    instructions: planPrivateBase({ wrap, shuttle, ...paymentOf(task) }, sender, {
      exactOut: request.exactOut,
      sealed,
    }),
    warnings: [
      ...warnings,
      ...vaultWarnings,
      ...warnOfRentPda(request, { ...costs, rentPda: accounts.rentPda }, wrap),
      ...warnOfIdleQueue(queue, crank),
      ...unread,
    ],
    notes: [...(request.toStealthPool ? [] : [unreadRecipient(request.to)]), ...table.notes],
    lookupTable: table.lookupTable,
    payerLamports: payerLamports(request, costs),
  };
}

async function readState(task: TransferTask, validator: Address, sender: EataAccounts, shuttle: Shuttle) {
  const { chain, request, facts } = task;
  const { mint, tokenProgram } = facts;
  // Without the recipient's accounts: base's RPC would learn who is paid.
  const accounts = await readNamedAccounts(chain, {
    rentPda: RENT_PDA,
    queue: queueAccountsOf(mint, validator, tokenProgram).queue,
    eata: sender.eata,
    record: sender.delegation.record,
    shuttle: shuttle.accounts.metadata,
    pool: request.toStealthPool ? request.to : null,
    lookupTable: tableOf(task),
    ...baseAddresses(task),
    ...vaultAddresses(task),
  });
  const status = judgeEata(sender.eata, accounts.eata, accounts.record, chain.layout);
  return { accounts, status, shuttleTaken: isShuttleBlocked(accounts.shuttle) };
}

function refusePool({ request }: TransferTask, pool: Account | null): void {
  if (!request.toStealthPool || isProgramAccount(pool)) return;
  throw new ServiceError(
    'STEALTH_POOL_NOT_FOUND',
    'Stealth handle is not initialized: `to` was taken for a handle because it is no base58 Solana address of 32 bytes, and nobody has created the pool of this handle',
    { field: 'to', stealthPool: request.to },
  );
}

function refuseOtherValidator(eata: Address, status: EataStatus, validator: Address): void {
  if (status.at === 'rollup' && status.validator !== null && status.validator !== validator) {
    throw new ServiceError(
      'EATA_VALIDATOR_MISMATCH',
      `Projected token account is delegated to another validator: pass ${status.validator} as validator, or undelegate the sender's ephemeral token account ${eata} first`,
      { field: 'validator', accounts: [eata], validator: status.validator, requested: validator },
    );
  }
  requireValidator(eata, status, validator);
}

/** The table that the operator names; null for a request in the legacy form. */
const tableOf = ({ request, chain }: TransferTask): Address | null =>
  request.legacy ? null : chain.transferLookupTable;
