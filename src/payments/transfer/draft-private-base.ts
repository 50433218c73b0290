import { ServiceError } from '../../errors/service-error.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import { recipientOf, sealTransfer } from '../../programs/private-transfer/seal-transfer.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { LookupTable } from '../../solana/v0-message.ts';
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';
import { isProgramAccount, readNamedAccounts } from '../accounts/read-accounts.ts';
import { readWithFreshShuttle, type Shuttle } from '../accounts/shuttle.ts';
import { queueAccountsOf } from '../accounts/transfer-queue.ts';
import { remember } from '../building/remember.ts';
import { RENT_PDA, requireRent } from '../fees/costs.ts';
import { recentCrankStatus } from '../queue-crank/status.ts';
import { readReleased } from '../rollup-state/delegated-eata.ts';
import { type EataStatus, eataStatusOf, requireValidator } from '../rollup-state/eata-status.ts';
import {
  baseAddresses,
  checkBaseAccounts,
  delegationBytes,
  payerLamports,
  wrapNeedsOf,
} from './base-accounts.ts';
import { PRIVATE_BASE_LAMPORTS } from './fees.ts';
import { unreadRecipient } from './output.ts';
import { type EataAccounts, planPrivateBase } from './plan.ts';
import { requireQueue, requireVault, vaultAddresses } from './required-accounts.ts';
import { ataBytesOf, paymentOf, type TransferDraft, type TransferTask } from './task.ts';
import { warnOfIdleQueue, warnOfRentPda } from './warnings.ts';

/**
 * The lookup table in the account at `address`, or why it cannot be used, as the end of a sentence. Its
 * authority does not matter: addresses can be added to a table, but none of them ever changes.
 */
export function checkLookupTable(address: Address, account: Account | null): LookupTable | string {
  if (account === null) return 'does not exist';
  if (account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return `belongs to program ${account.owner}`;
  const table = decodeLookupTable(account.data);
  if (table === null) return 'is malformed';
  // A deactivated table works for a while, but may be closed by the time the transaction is sent.
  if (table.deactivationSlot !== null) return 'is being deactivated';
  return { address, addresses: table.addresses };
}

/** The lookup table to use, and a note if the configured one cannot be used. */
interface TableChoice {
  readonly lookupTable: LookupTable | null;
  readonly notes: readonly string[];
}

/** Chooses the table in the operator's setting; `address` is null without that setting. */
export function chooseLookupTable(address: Address | null, account: Account | null): TableChoice {
  if (address === null) return { lookupTable: null, notes: [] };
  const checked = checkLookupTable(address, account);
  if (typeof checked !== 'string') return { lookupTable: checked, notes: [] };
  const note = `The transaction does not use lookup table ${address} of the operator's setting, because it ${checked}.`;
  return { lookupTable: null, notes: [note] };
}

/** Checking that a validator's address can be sealed for costs about as much as sealing. */
const recipients = remember(64, recipientOf);

/**
 * Drafts a private base-to-base transfer, to a wallet or to the pool of a stealth handle.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if nothing can be sealed for the validator;
 *   STEALTH_POOL_NOT_FOUND, VAULT_NOT_INITIALIZED, TRANSFER_QUEUE_NOT_INITIALIZED, EATA_VALIDATOR_MISMATCH;
 *   as {@link checkBaseAccounts}.
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
  requirePool(task, accounts.pool);
  const vaultWarnings = requireVault(task, accounts);
  requireQueue(task, validator, accounts.queue);
  rejectOtherValidator(eata, status, validator);
  const wrap = wrapNeedsOf(task, accounts);
  const createsAta = request.creates.sourceAta && accounts.source === null;
  const costs = {
    rent: requireRent(accounts.rent),
    createdBytes: [...delegationBytes(status, request), ...(createsAta ? [ataBytesOf(task)] : [])],
    lamports: PRIVATE_BASE_LAMPORTS + wrap.rentTopUpLamports,
    wrapLamports: wrap.wrapLamports,
  };
  const warnings = checkBaseAccounts(task, accounts, costs);
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
  // Without the recipient's accounts, so that the base RPC does not learn who is paid.
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
  const status = eataStatusOf(sender.eata, accounts.eata, accounts.record, chain.layout);
  return { accounts, status, shuttleTaken: accounts.shuttle !== null };
}

function requirePool({ request }: TransferTask, pool: Account | null): void {
  if (!request.toStealthPool || isProgramAccount(pool)) return;
  throw new ServiceError(
    'STEALTH_POOL_NOT_FOUND',
    'Stealth handle is not initialized: `to` is treated as a handle because it is not a base58 Solana address of 32 bytes, and no pool exists for this handle',
    { field: 'to', stealthPool: request.to },
  );
}

function rejectOtherValidator(eata: Address, status: EataStatus, validator: Address): void {
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
