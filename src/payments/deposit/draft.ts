import type { Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import {
  addressesOfOwner,
  type DepositAccounts,
  deriveDepositAccounts,
  eataOf,
  type OwnerState,
  ownerStateOf,
  readVault,
  readWithFreshShuttle,
  type Shuttle,
} from '../accounts/deposit-accounts.ts';
import { forPaying, readNamedAccounts, type TokenAccountState } from '../accounts/token-account.ts';
import { requireWalletAccount } from '../accounts/wallet.ts';
import type { Draft } from '../building/built-transaction.ts';
import type { DepositInput, DepositRequest } from '../deposit.ts';
import { RENT_PDA } from '../fees/costs.ts';
import { findWrapNeeds, NO_WRAP, wrapNotes } from '../mints/wrapped-sol.ts';
import {
  alreadyDelegated,
  type Delegated,
  type EataStatus,
  eataStatusOf,
  isSettlingOn,
  readReleased,
  rejectDelegated,
  requireValidator,
  staysDelegated,
} from '../rollup-state/eata-status.ts';
import { type DepositCreations, type DepositPlan, ownersPermission, planDeposit } from './plan.ts';
import {
  depositWarnings,
  isOwnersAlone,
  type LeftPermission,
  notesOnReaders,
  readPermission,
} from './warnings.ts';

interface DepositSwitches {
  /** Whether a shuttle carries the tokens. Other deposits are direct, as all are on layout A. */
  readonly byShuttle: boolean;
  readonly isPrivate: boolean;
  /** The accounts to create. A null `vault` creates the vault only if it is missing. */
  readonly creates: Omit<DepositCreations, 'vault'> & { readonly vault: boolean | null };
}

/** Applies the defaults of a layout. Layout B uses the hosted API's defaults. */
export function depositSwitches(
  layout: Layout,
  input: Omit<DepositInput, 'owner' | 'amount'>,
): DepositSwitches {
  const byShuttle = layout === 'b' && (input.idempotent ?? true);
  const eata = input.initIfMissing ?? true;
  const vault = layout === 'a' ? null : byShuttle ? false : eata;
  const ownerAta = (layout === 'a' || byShuttle) && (input.initAtasIfMissing ?? false);
  const creates = { eata, vault: input.initVaultIfMissing ?? vault, ownerAta };
  return { byShuttle, isPrivate: input.private ?? true, creates };
}

/**
 * Checks whether a deposit resets the permission that lets others read it. Only a deposit on layout A can
 * reset it, and only if the permission is not delegated. The owner's signature is enough.
 */
export const resetsPermission = (layout: Layout, permission: LeftPermission | null): boolean =>
  layout === 'a' && permission !== null && !permission.isDelegated && !isOwnersAlone(permission);

const UNDELEGATE_FIRST =
  'Undelegate it on the rollup first (spl.undelegate; its tokens stay in it) and deposit again once the base ledger shows it.';

/**
 * Rejects a deposit into a delegated eATA unless the program accepts it, which requires a shuttle and the
 * validator that has the eATA.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, EATA_VALIDATOR_MISMATCH,
 *   EATA_ALREADY_DELEGATED, ACCOUNT_UNREADABLE.
 */
async function requireAddable(
  { chain, validator }: Pick<DepositRequest, 'chain' | 'validator'>,
  accounts: DepositAccounts,
  delegated: Delegated,
  byShuttle: boolean,
): Promise<void> {
  const eata = eataOf(accounts);
  if (chain.layout === 'a') {
    await rejectDelegated(chain, eata, delegated, {
      settling: { what: 'nothing can be added to it', advice: 'then deposit again' },
      elsewhere: 'Nothing can be added to it: deposit from another wallet.',
      delegated: (to) =>
        `is already delegated to ${to}, and the program on this cluster cannot add to a delegated account. ${chain.rollup === null ? staysDelegated(chain.cluster) : UNDELEGATE_FIRST}`,
    });
  }
  requireValidator(eata.eata, { at: 'rollup', validator: delegated.validator }, validator);
  if (byShuttle) return;
  throw alreadyDelegated(
    eata,
    delegated.validator,
    (to) =>
      `is already delegated to ${to}, and a direct deposit cannot add to a delegated account. Leave out idempotent or set it to true: a shuttle can.`,
  );
}

const eataMissing = (eata: Address): ServiceError =>
  new ServiceError(
    'EATA_NOT_INITIALIZED',
    `The ephemeral token account ${eata} does not exist yet; leave out initIfMissing or set it to true`,
    { field: 'initIfMissing', eata },
  );

const vaultMissing = (mint: Address, layout: Layout): ServiceError =>
  new ServiceError(
    'VAULT_NOT_INITIALIZED',
    `The vault of mint ${mint} does not exist yet; ${layout === 'a' ? 'leave out initVaultIfMissing or set it to true' : 'set initVaultIfMissing to true'}`,
    { field: 'initVaultIfMissing', mint },
  );

/** The on-chain state of a deposit's accounts. */
export interface DepositState extends OwnerState {
  readonly eata: EataStatus;
  /** The vault's token account; null if it must be created. */
  readonly vault: TokenAccountState | null;
  readonly permission: LeftPermission | null;
}

/**
 * Reads the accounts of a deposit at one slot, and rejects an eATA that cannot accept it.
 *
 * @throws {ServiceError} INVALID_OWNER if the owner's account is not a wallet; the errors of
 *   {@link requireAddable}; TOKEN_ACCOUNT_OWNER_MISMATCH, ACCOUNT_UNREADABLE if an account does not match its
 *   address.
 */
async function readDepositState(
  request: Pick<DepositRequest, 'chain' | 'validator'>,
  accounts: DepositAccounts,
  shuttle: Shuttle | null,
): Promise<DepositState> {
  const { chain, validator } = request;
  const address = accounts.eata.address;
  // List the addresses one by one, because object spreads take V8 many microseconds.
  const { eata: eataAt, record, ownerAta, wallet, feesVault, rent } = addressesOfOwner(accounts, validator);
  // Read the rollup together with base. A later read might no longer report an undelegation that this read of
  // base does not show yet.
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
      rentPda: chain.layout === 'b' ? RENT_PDA : null,
      shuttle: shuttle === null ? null : shuttle.accounts.metadata,
    }),
  ]);
  requireWalletAccount(accounts.owner, 'owner', found.wallet);
  const eata = eataStatusOf(address, found.eata, found.record, chain.layout);
  if (eata.at === 'rollup') {
    const delegated = { validator: eata.validator, isSettling };
    await requireAddable(request, accounts, delegated, shuttle !== null);
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
 * @throws {ServiceError} the errors of {@link readDepositState}; EATA_NOT_INITIALIZED, VAULT_NOT_INITIALIZED.
 */
export async function draftDeposit(request: DepositRequest, random: Random): Promise<Draft> {
  const { chain, input, facts, validator } = request;
  const { layout } = chain;
  const { byShuttle, isPrivate, creates } = depositSwitches(layout, input);
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const read = (shuttle: Shuttle | null) => readDepositState(request, accounts, shuttle);
  const { shuttle, state } = byShuttle
    ? await readWithFreshShuttle(accounts, random, read)
    : { shuttle: null, state: await read(null) };
  if (state.eata.at === 'nowhere' && !creates.eata) throw eataMissing(accounts.eata.address);
  if (state.vault === null && creates.vault === false) throw vaultMissing(facts.mint, layout);
  const plan: DepositPlan = {
    accounts,
    payer: input.owner,
    amount: input.amount,
    validator,
    // By default the vault is created only if it is missing.
    creates: { ...creates, vault: creates.vault ?? state.vault === null },
    // A new permission lets only the owner read. An existing one may need a reset.
    permission: isPrivate ? ownersPermission(resetsPermission(layout, state.permission)) : null,
    shuttle,
    wrap: layout === 'b' && facts.mint === NATIVE_MINT ? wrapFor(input.amount, state) : NO_WRAP,
  };
  const delegating = { status: state.eata, validator, ata: accounts.ownerAta, facts };
  return {
    instructions: planDeposit(layout, plan),
    warnings: [...depositWarnings(plan, state, request), ...(await readReleased(chain, delegating))],
    notes: [...wrapNotes(plan.wrap), ...notesOnReaders(plan.permission, state.permission)],
  };
}

const wrapFor = (wanted: bigint, { ownerTokens, rentPdaLamports, rent }: DepositState) =>
  findWrapNeeds({ wanted, wrapped: ownerTokens?.amount ?? 0n, rentPdaLamports, rent });
