import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import {
  addressesOfOwner,
  type DepositAccounts,
  deriveDepositAccounts,
  type OwnerState,
  ownerStateOf,
  readVault,
} from '../accounts/deposit-accounts.ts';
import { readNamedAccounts } from '../accounts/read-accounts.ts';
import { readWithFreshShuttle, type Shuttle } from '../accounts/shuttle.ts';
import { forPaying, type TokenAccountState } from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import type { Draft } from '../building/draft.ts';
import { RENT_PDA } from '../fees/costs.ts';
import { findWrapNeeds, NO_WRAP, wrapNotes } from '../mints/wrapped-sol.ts';
import { isSettlingOn, readReleased } from '../rollup-state/delegated-eata.ts';
import { type EataStatus, eataStatusOf } from '../rollup-state/eata-status.ts';
import { DEPOSIT_LAYOUTS, type DepositLayout } from './layout.ts';
import { canReset, type LeftPermission, notesOnReaders, readPermission } from './permission-status.ts';
import { type DepositPlan, ownersPermission } from './plan.ts';
import type { DepositRequest } from './request.ts';
import { depositWarnings } from './warnings.ts';

/** The error for a missing eATA that the caller asked not to create. */
const eataMissing = (eata: Address): ServiceError =>
  new ServiceError(
    'EATA_NOT_INITIALIZED',
    `The ephemeral token account ${eata} does not exist yet; leave out initIfMissing or set it to true`,
    { field: 'initIfMissing', eata },
  );

/**
 * The error for a missing vault that the request does not create.
 *
 * @param advice how to use initVaultIfMissing.
 */
const vaultMissing = (mint: Address, advice: string): ServiceError =>
  new ServiceError('VAULT_NOT_INITIALIZED', `The vault of mint ${mint} does not exist yet; ${advice}`, {
    field: 'initVaultIfMissing',
    mint,
  });

/** The chain's state of the accounts of a deposit. */
export interface DepositState extends OwnerState {
  readonly eata: EataStatus;
  /** The vault's token account; null if it has to be created. */
  readonly vault: TokenAccountState | null;
  /** Null if there is none. */
  readonly permission: LeftPermission | null;
}

/**
 * Reads the accounts of a deposit, all at one slot, and rejects an eATA that cannot be added to.
 *
 * @throws {ServiceError} INVALID_OWNER if the owner's account is not a wallet; as
 *   {@link DepositLayout.requireAddable}; TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE if an account is
 *   not what its address implies.
 */
async function readDepositState(
  { chain, validator }: Pick<DepositRequest, 'chain' | 'validator'>,
  layout: DepositLayout,
  accounts: DepositAccounts,
  shuttle: Shuttle | null,
): Promise<DepositState> {
  const address = accounts.eata.address;
  // Listed one by one, because spreading one object into another takes V8 many microseconds.
  const { eata: eataAt, record, ownerAta, wallet, feesVault, rent } = addressesOfOwner(accounts, validator);
  // The rollup is read together with base. Read later, it could have forgotten an undelegation that this read
  // of base does not show yet.
  const [isSettling, found] = await Promise.all([
    isSettlingOn(chain, address),
    readNamedAccounts(chain, {
      eata: eataAt,
      record,
      ownerAta,
      wallet,
      feesVault,
      rent,
      vault: accounts.vault.address,
      vaultAta: accounts.vaultAta,
      permission: accounts.permission,
      rentPda: layout.hasShuttles ? RENT_PDA : null,
      shuttle: shuttle === null ? null : shuttle.accounts.metadata,
    }),
  ]);
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  const eata = eataStatusOf(address, found.eata, found.record, chain.layout);
  if (eata.at === 'rollup') {
    const delegated = { validator: eata.validator, isSettling };
    await layout.requireAddable({ chain, accounts, validator, byShuttle: shuttle !== null, delegated });
  }
  const owner = ownerStateOf(accounts, found, forPaying);
  return {
    eata,
    vault: readVault(accounts, found),
    permission: readPermission(accounts.permission, found.permission, accounts.owner),
    ownerTokens: owner.ownerTokens,
    ownerLamports: owner.ownerLamports,
    validatorAdmitted: owner.validatorAdmitted,
    rentPdaLamports: owner.rentPdaLamports,
    rent: owner.rent,
    shuttleTaken: owner.shuttleTaken,
  };
}

/**
 * Drafts a deposit in the cluster's layout.
 *
 * @throws {ServiceError} as {@link readDepositState}; EATA_NOT_INITIALIZED, VAULT_NOT_INITIALIZED.
 */
export async function draftDeposit(request: DepositRequest, random: Random): Promise<Draft> {
  const { chain, input, facts, validator } = request;
  const layout = DEPOSIT_LAYOUTS[chain.layout];
  const { byShuttle, isPrivate, creates } = layout.switchesOf(input);
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const read = (shuttle: Shuttle | null) => readDepositState(request, layout, accounts, shuttle);
  const { shuttle, state } = byShuttle
    ? await readWithFreshShuttle(accounts, random, read)
    : { shuttle: null, state: await read(null) };
  if (state.eata.at === 'nowhere' && !creates.eata) throw eataMissing(accounts.eata.address);
  if (state.vault === null && creates.vault === false) throw vaultMissing(facts.mint, layout.vaultAdvice);
  const plan: DepositPlan = {
    accounts,
    payer: input.owner,
    amount: input.amount,
    validator,
    // Unless the caller decides, the vault is created only if it is missing.
    creates: { ...creates, vault: creates.vault ?? state.vault === null },
    // A new permission lets only the owner read; an existing one may have to be reset for that.
    permission: isPrivate ? ownersPermission(layout.resetsPermission && canReset(state.permission)) : null,
    shuttle,
    wrap: layout.hasShuttles && facts.mint === NATIVE_MINT ? wrapFor(input.amount, state) : NO_WRAP,
  };
  const delegating = { status: state.eata, validator, ata: accounts.ownerAta, facts };
  return {
    instructions: layout.plan(plan),
    warnings: [...depositWarnings(plan, state, request, layout), ...(await readReleased(chain, delegating))],
    notes: [...wrapNotes(plan.wrap), ...notesOnReaders(plan.permission, state.permission)],
  };
}

const wrapFor = (wanted: bigint, { ownerTokens, rentPdaLamports, rent }: DepositState) =>
  findWrapNeeds({ wanted, wrapped: ownerTokens?.amount ?? 0n, rentPdaLamports, rent });
