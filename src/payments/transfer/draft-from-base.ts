import { ServiceError } from '../../errors/service-error.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { EATA_BYTES_B, VAULT_BYTES_A, VAULT_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import { derivePermission, PERMISSION_BYTES } from '../../programs/permission/state.ts';
import { recipientOf, sealTransfer } from '../../programs/private-transfer/seal-transfer.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { LookupTable } from '../../solana/versioned-message.ts';
import {
  deriveMintVault,
  readWithFreshShuttle,
  remember,
  type Shuttle,
} from '../accounts/deposit-accounts.ts';
import {
  forBeingPaid,
  isProgramAccount,
  readNamedAccounts,
  readTokenAccount,
} from '../accounts/token-account.ts';
import { queueAccountsOf, recentCrankStatus } from '../accounts/transfer-queue.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import { warnOfArrival, warnOfConfidentialOnly, warnOfFrozen } from '../building/warnings.ts';
import { RENT_PDA, requireRent, SHUTTLE_FEE_LAMPORTS } from '../fees/costs.ts';
import {
  type EataStatus,
  eataStatusOf,
  readReleased,
  requireValidator,
} from '../rollup-state/eata-status.ts';
import {
  baseAddresses,
  checkBaseAccounts,
  delegationBytes,
  payerLamports,
  requireQueue,
  requireVault,
  vaultAddresses,
  wrapNeedsOf,
} from './base-accounts.ts';
import { PRIVATE_BASE_LAMPORTS } from './fees.ts';
import { unreadRecipient } from './input.ts';
import {
  deriveEataAccounts,
  type EataAccounts,
  planBaseToEphemeral,
  planPrivateBase,
  planPublicBase,
} from './plan.ts';
import { ataBytesOf, paymentOf, type TransferDraft, type TransferTask } from './request.ts';
import { warnOfIdleQueue, warnOfRecipient, warnOfRentPda } from './warnings.ts';

/**
 * Drafts a public base-to-base transfer.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_NOT_FOUND if the recipient has no token account and the transfer does
 *   not create it; INVALID_OWNER if the recipient is not a wallet; TOKEN_ACCOUNT_OWNER_MISMATCH if its token
 *   account belongs to someone else; the errors of {@link checkBaseAccounts}.
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
  // Wallets delegated to a validator belong to the delegation program and can be paid.
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
      ...(tokens?.state === 'frozen' ? [warnOfFrozen(`The recipient's token account ${recipientAta}`)] : []),
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

/** Lists the sizes of accounts created with a missing vault, in bytes. Layout B also creates an eATA. */
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

/**
 * Reads the lookup table at `address`, or returns why it cannot be used, as the end of a sentence. Its
 * authority does not matter: it can add addresses but never change them.
 */
export function checkLookupTable(address: Address, account: Account | null): LookupTable | string {
  if (account === null) return 'does not exist';
  if (account.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return `belongs to program ${account.owner}`;
  const table = decodeLookupTable(account.data);
  if (table === null) return 'is malformed';
  // A deactivated table still works for a while, but may be closed before the transaction is sent.
  if (table.deactivationSlot !== null) return 'is being deactivated';
  return { address, addresses: table.addresses };
}

interface TableChoice {
  readonly lookupTable: LookupTable | null;
  readonly notes: readonly string[];
}

/** Chooses the operator's table. `address` is null if none is configured. */
export function chooseLookupTable(address: Address | null, account: Account | null): TableChoice {
  if (address === null) return { lookupTable: null, notes: [] };
  const checked = checkLookupTable(address, account);
  if (typeof checked !== 'string') return { lookupTable: checked, notes: [] };
  const note = `The transaction does not use lookup table ${address} from the operator's setting, because it ${checked}.`;
  return { lookupTable: null, notes: [note] };
}

/** Caches recipients, because checking a validator's key costs about as much as sealing. */
const recipients = remember(64, recipientOf);

/**
 * Drafts a private base-to-base transfer, to a wallet or to the pool of a stealth handle.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if nothing can be sealed for the validator;
 *   STEALTH_POOL_NOT_FOUND, VAULT_NOT_INITIALIZED, TRANSFER_QUEUE_NOT_INITIALIZED, EATA_VALIDATOR_MISMATCH;
 *   the errors of {@link checkBaseAccounts}.
 */
export async function draftPrivateBase(task: TransferTask, validator: Address): Promise<TransferDraft> {
  const { chain, random, request, facts } = task;
  const recipient = recipients(validator);
  const sender = deriveEataAccounts(request.from, facts.mint);
  const owner = { owner: request.from, mint: facts.mint, tokenProgram: facts.tokenProgram };
  const { queue } = queueAccountsOf(facts.mint, validator, facts.tokenProgram);
  const [{ shuttle, state }, crank] = await Promise.all([
    readWithFreshShuttle(owner, random, (drawn) => readSenderState(task, validator, sender, drawn)),
    recentCrankStatus(chain, queue, { mint: facts.mint, validator }),
  ]);
  const { accounts, status } = state;
  requirePool(task, accounts.pool);
  const vaultWarnings = requireVault(task, accounts);
  requireQueue(task, validator, accounts.queue);
  rejectOtherValidator(sender.eata, status, validator);
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

async function readSenderState(
  task: TransferTask,
  validator: Address,
  sender: EataAccounts,
  shuttle: Shuttle,
) {
  const { chain, request, facts } = task;
  const { mint, tokenProgram } = facts;
  // The recipient's accounts are not read, because the base RPC would learn who is paid.
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
    'Stealth handle is not initialized: `to` is treated as a handle because it is not a base58 Solana address of 32 bytes, and no pool exists for this handle. Create it first (spl.createStealthPool), or pass an address',
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

/** Returns the operator's table; null for a request in the legacy form. */
const tableOf = ({ request, chain }: TransferTask): Address | null =>
  request.legacy ? null : chain.transferLookupTable;

/**
 * Drafts a private transfer from base to the recipient's account on the rollup.
 *
 * @throws {ServiceError} VAULT_NOT_INITIALIZED; EATA_VALIDATOR_MISMATCH if the recipient is on another
 *   rollup; TOKEN_ACCOUNT_OWNER_MISMATCH if the recipient's token account belongs to someone else; the errors
 *   of {@link checkBaseAccounts}.
 */
export async function draftBaseToEphemeral(task: TransferTask, validator: Address): Promise<TransferDraft> {
  const { chain, random, request, facts } = task;
  const recipient = recipientAccounts(task);
  const owner = { owner: request.from, mint: facts.mint, tokenProgram: facts.tokenProgram };
  const { shuttle, state } = await readWithFreshShuttle(owner, random, (drawn) =>
    readRecipientState(task, recipient, drawn),
  );
  const { accounts, status } = state;
  const vaultWarnings = requireVault(task, accounts);
  const arrivesIn = readTokenAccount(recipient, accounts.recipientAta, forBeingPaid);
  requireValidator(recipient.eata, status, validator);
  const wrap = wrapNeedsOf(task, accounts);
  const costs = {
    rent: requireRent(accounts.rent),
    createdBytes: bytesCreated(task, state),
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
  const accounts = deriveEataAccounts(owner, mint);
  const ata = deriveAta(owner, mint, tokenProgram).address;
  return { ...accounts, mint, tokenProgram, ata, permission: derivePermission(accounts.eata).address };
}

async function readRecipientState(task: TransferTask, recipient: Recipient, shuttle: Shuttle) {
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

function bytesCreated(task: TransferTask, state: Awaited<ReturnType<typeof readRecipientState>>): number[] {
  const { request } = task;
  const { accounts, status } = state;
  const sizes: number[] = [];
  if (request.creates.sourceAta && accounts.source === null) sizes.push(ataBytesOf(task));
  if (!request.creates.recipient) return sizes;
  if (accounts.recipientAta === null) sizes.push(ataBytesOf(task));
  if (accounts.permission === null) sizes.push(PERMISSION_BYTES);
  return [...sizes, ...delegationBytes(status, request)];
}
