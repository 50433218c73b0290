import { ServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, NATIVE_MINT } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { RENT_SYSVAR } from '../../programs/sysvars.ts';
import type { Account, Rent } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import { deriveMintVault, readVault } from '../accounts/deposit-accounts.ts';
import {
  checkTokenAccount,
  forPaying,
  type OwnershipAdvice,
  readTokenAccount,
  type TokenAccountState,
} from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import type { Warning } from '../building/built-transaction.ts';
import {
  warnOfCpiGuard,
  warnOfFrozen,
  warnOfTooFewLamports,
  warnOfTooFewTokens,
} from '../building/warnings.ts';
import { requireRent, sumLamports } from '../fees/costs.ts';
import type { Sponsor } from '../fees/sponsor.ts';
import { findWrapNeeds, NO_WRAP, type WrapNeeds } from '../mints/wrapped-sol.ts';
import type { EataStatus } from '../rollup-state/eata-status.ts';
import type { TransferInput } from './input.ts';
import { hasEffect, type TransferRequest, type TransferTask } from './request.ts';
import { warnOfToll } from './warnings.ts';

/** Returns the base accounts that every transfer from base reads, by name. */
export function baseAddresses({ request, payer, sourceAta, sponsorAta }: TransferTask) {
  return {
    source: sourceAta,
    payer,
    sponsor: sponsorAta,
    platform: request.platformFee?.account ?? null,
    rent: RENT_SYSVAR,
  };
}

type BaseAccounts = Readonly<Record<keyof ReturnType<typeof baseAddresses>, Account | null>>;

interface BaseCosts {
  readonly rent: Rent;
  /** Sizes of the accounts that the payer creates permanently, in bytes. */
  readonly createdBytes: readonly number[];
  readonly lamports: bigint;
  /** Lamports that the sender wraps and then spends as tokens. */
  readonly wrapLamports: bigint;
}

/**
 * Checks the sender's side of a transfer from base.
 *
 * @throws {ServiceError} INVALID_OWNER if a paying sender is not a wallet; INVALID_PLATFORM_FEE,
 *   SPONSOR_UNAVAILABLE if an account to be paid does not exist or the sponsor has run out of lamports;
 *   TOKEN_ACCOUNT_OWNER_MISMATCH if the sender's or the sponsor's token account belongs to someone else.
 */
export function checkBaseAccounts(task: TransferTask, accounts: BaseAccounts, costs: BaseCosts): Warning[] {
  const ofPlatform = checkPlatformAccount(task, accounts.platform);
  requireSponsorAta(task, accounts.sponsor);
  return [...ofPlatform, ...warnOfSource(task, accounts.source, costs), ...checkPayer(task, accounts, costs)];
}

/** Computes the maximum cost of a transfer from base for its payer, in lamports. */
export function payerLamports({ sponsor }: TransferRequest, costs: BaseCosts): bigint {
  // Wrapping takes the sender's lamports, not the sponsor's.
  const ownWrap = sponsor === null ? costs.wrapLamports : 0n;
  return sumLamports(costs.rent, costs.createdBytes, costs.lamports, ownWrap, signatureLamports(sponsor));
}

/** Computes the cost of the signatures. A sponsor signs in addition to the sender. */
const signatureLamports = (sponsor: Sponsor | null): bigint =>
  LAMPORTS_PER_SIGNATURE * (sponsor === null ? 1n : 2n);

function warnOfSource(task: TransferTask, account: Account | null, { wrapLamports }: BaseCosts): Warning[] {
  const { request, facts, sourceAta } = task;
  const tokens = readSource(task, account);
  // Wrapping comes before the transfer in the same transaction.
  const held = (tokens?.amount ?? 0n) + wrapLamports;
  const taken = request.sums.debited;
  const { mint, decimals } = facts;
  return [
    ...(held < taken
      ? [warnOfTooFewTokens('transfer', { ata: sourceAta, held, taken, mint, decimals })]
      : []),
    ...(tokens?.state === 'frozen' ? [warnOfFrozen(`The owner's token account ${sourceAta}`)] : []),
    // Shuttles take tokens through a cross-program invocation; plain transfers do not.
    ...(tokens?.rules.guardsCpi === true && request.route !== 'publicBase'
      ? [warnOfCpiGuard(sourceAta)]
      : []),
  ];
}

/** @throws {ServiceError} TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE. */
function readSource(
  { request, facts, sourceAta: ata }: TransferTask,
  account: Account | null,
): TokenAccountState | null {
  const { mint, tokenProgram } = facts;
  return readTokenAccount({ ata, owner: request.from, mint, tokenProgram }, account, forPaying);
}

function checkPayer({ request }: TransferTask, { payer }: BaseAccounts, costs: BaseCosts): Warning[] {
  const { sponsor } = request;
  const held = payer?.lamports ?? 0n;
  const needed = payerLamports(request, costs);
  // With a sponsor, the payer is not the sender.
  if (sponsor === null) requireWalletAccount(request.from, 'from', payer);
  if (held >= needed) return [];
  if (sponsor === null) return [warnOfTooFewLamports('transfer', { who: 'owner', held, needed })];
  throw new ServiceError(
    'SPONSOR_UNAVAILABLE',
    'The sponsor of gasless transfers currently has too few lamports; leave out gasless to have the sender pay them',
    { field: 'gasless' },
  );
}

function checkPlatformAccount({ request, facts }: TransferTask, account: Account | null): Warning[] {
  const { platformFee } = request;
  if (platformFee === null) return [];
  const { mint, tokenProgram } = facts;
  const expected = { ata: platformFee.account, owner: null, mint, tokenProgram };
  const checked = checkTokenAccount(expected, account);
  if (typeof checked !== 'string') return warnOfToll('the platform', expected.ata, checked);
  throw new ServiceError(
    'INVALID_PLATFORM_FEE',
    `platformFeeAccount ${platformFee.account} is not a token account of mint ${mint}; pass the address of the token account, not of the wallet that owns it`,
    { field: 'platformFeeAccount', platformFeeAccount: platformFee.account },
  );
}

function requireSponsorAta({ request, sponsorAta: ata, facts }: TransferTask, account: Account | null): void {
  if (request.sponsor === null || ata === null) return;
  const { mint, tokenProgram } = facts;
  const expected = { ata, owner: request.sponsor.address, mint, tokenProgram };
  const tokens = readTokenAccount(expected, account, withoutSponsor);
  const fault = tokens === null ? 'has no token account' : whyNotPaid(tokens);
  if (fault === null) return;
  throw new ServiceError(
    'SPONSOR_UNAVAILABLE',
    `The sponsor of gasless transfers ${fault} of mint ${mint} to receive its fee; leave out gasless to have the sender pay the lamports`,
    { field: 'gasless', mint },
  );
}

function whyNotPaid({ state, rules }: TokenAccountState): string | null {
  if (state === 'frozen') return 'has a frozen token account';
  // Fee transfers have no memo before them.
  if (rules.needsMemo) return 'has a token account that requires memos';
  return rules.takesConfidentialOnly ? 'has a token account for confidential transfers only' : null;
}

const withoutSponsor: OwnershipAdvice = ({ holder }) =>
  `the sponsor's fee would be ${holder}'s. Leave out gasless to have the sender pay the lamports.`;

/**
 * Lists the sizes of the accounts that delegating an eATA creates, in bytes. For a sponsor it lists the
 * maximum, because the sender may undelegate the eATA before sending. These accounts are never closed.
 */
export function delegationBytes(status: EataStatus, { sponsor }: Pick<TransferRequest, 'sponsor'>): number[] {
  if (status.at === 'rollup' && sponsor === null) return [];
  const records = [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES];
  return status.at === 'nowhere' ? [EATA_BYTES_B, ...records] : records;
}

/** Computes the native SOL to wrap before it enters a shuttle; none for other mints. */
export function wrapNeedsOf(
  task: TransferTask,
  accounts: Readonly<Record<'source' | 'rentPda' | 'rent', Account | null>>,
): WrapNeeds {
  const { request } = task;
  // An empty transfer wraps nothing and does not top up the rent PDA.
  if (request.mint !== NATIVE_MINT || request.sums.debited === 0n) return NO_WRAP;
  return findWrapNeeds({
    wanted: request.sums.debited,
    wrapped: readSource(task, accounts.source)?.amount ?? 0n,
    rentPdaLamports: accounts.rentPda?.lamports ?? 0n,
    rent: requireRent(accounts.rent),
  });
}

/** Returns the addresses that {@link requireVault} checks, by name. */
export function vaultAddresses({ facts }: TransferTask) {
  const { vault, vaultAta } = deriveMintVault(facts.mint, facts.tokenProgram);
  return { vault: vault.address, vaultAta };
}

/**
 * Requires the vault of a transfer to the rollup, unless the transfer creates it. Returns a warning for each
 * reason why the vault cannot accept tokens.
 *
 * @throws {ServiceError} VAULT_NOT_INITIALIZED, and the errors of {@link readVault}.
 */
export function requireVault(
  { request, facts }: TransferTask,
  accounts: { readonly vault: Account | null; readonly vaultAta: Account | null },
): Warning[] {
  const { mint, tokenProgram } = facts;
  const expected = { mint, tokenProgram, ...deriveMintVault(mint, tokenProgram) };
  const vault = readVault(expected, accounts);
  if (vault !== null)
    return vault.state === 'frozen' ? [warnOfFrozen(`The vault's token account ${expected.vaultAta}`)] : [];
  if (request.creates.vault) return [];
  throw new ServiceError(
    'VAULT_NOT_INITIALIZED',
    `The vault of mint ${facts.mint} does not exist yet; initialize the mint first (spl.initializeMint), or pass initVaultIfMissing true`,
    { field: 'initVaultIfMissing', mint: facts.mint },
  );
}

/**
 * Requires an existing, delegated queue to pay the recipient, unless the transfer creates it. Nothing would
 * be paid out without it.
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
    `Transfer queue is not initialized and delegated: mint ${facts.mint} has none on validator ${validator} yet; initialize the mint first (spl.initializeMint)`,
    { field: 'mint', mint: facts.mint, validator },
  );
}

const FLAGS = ['initRecipientAta', 'initIfMissing', 'initAtasIfMissing', 'initVaultIfMissing'] as const;

/**
 * Rejects a gasless transfer that would create an account, because its owner could close it and keep the rent
 * at the sponsor's expense. A flag is ignored if its accounts exist, because clients of the hosted API send
 * every flag.
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
