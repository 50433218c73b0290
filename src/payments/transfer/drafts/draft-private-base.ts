import { ServiceError } from '../../../errors/service-error.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { decodeLookupTable } from '../../../programs/lookup-table.ts';
import { recipientOf } from '../../../programs/private-transfer/recipient.ts';
import { sealTransfer } from '../../../programs/private-transfer/seal-transfer.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { LookupTable } from '../../../solana/v0-message.ts';
import { deriveDelegationAccounts } from '../../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../../accounts/named-accounts.ts';
import { isProgramAccount } from '../../accounts/program-account.ts';
import { isShuttleBlocked, readWithFreshShuttle, type Shuttle } from '../../accounts/shuttle.ts';
import { remember } from '../../building/remember.ts';
import { requireRent } from '../../fees/rent-costs.ts';
import { RENT_PDA } from '../../fees/shuttle-costs.ts';
import { recentCrankStatus } from '../../queue-crank/recent-status.ts';
import { type EataStatus, judgeEata, requireValidator } from '../../rollup-state/eata-status.ts';
import { readReleased } from '../../rollup-state/released-eata.ts';
import { PRIVATE_BASE_LAMPORTS } from '../request/transfer-fees.ts';
import { unreadRecipient } from '../transfer-sentences.ts';
import { ataBytesOf, paymentOf, type TransferDraft, type TransferTask } from '../transfer-task.ts';
import { warnOfIdleQueue, warnOfRentPda } from '../transfer-warnings.ts';
import { baseAddresses, judgeBaseAccounts, payerLamports } from './base-accounts.ts';
import { queueAccountsOf } from './queue-accounts.ts';
import { requireQueue, requireVault, vaultAddresses } from './required-accounts.ts';
import { delegationBytes, wrapNeedsOf } from './shuttle-costs.ts';
import { type EataAccounts, planPrivateBase } from './transfer-plan.ts';

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

/**
 * The lookup table in the account at `address`, or why it is not used, as the end of a sentence. Who its
 * authority is does not matter: addresses can be added to a table, but none of them ever changes.
 */
export function judgeLookupTable(address: Address, account: Account | null): LookupTable | string {
  if (account === null) return 'does not exist';
  if (account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return `belongs to program ${account.owner}`;
  const table = decodeLookupTable(account.data);
  if (table === null) return 'is malformed';
  // A deactivated table works for a while, but may be closed by the time the transaction is sent.
  if (table.deactivationSlot !== null) return 'is being put out of use';
  return { address, addresses: table.addresses };
}

/** The table that a transfer uses, and what there is to say of one that it does not use. */
interface TableChoice {
  readonly lookupTable: LookupTable | null;
  readonly notes: readonly string[];
}

/** Chooses the table that the operator's setting names; `address` is null where it names none. */
export function chooseLookupTable(address: Address | null, account: Account | null): TableChoice {
  if (address === null) return { lookupTable: null, notes: [] };
  const judged = judgeLookupTable(address, account);
  if (typeof judged !== 'string') return { lookupTable: judged, notes: [] };
  const note = `Lookup table ${address}, which the operator's setting names, ${judged}: the transaction does without.`;
  return { lookupTable: null, notes: [note] };
}
