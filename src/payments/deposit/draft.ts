import type { Chain, Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import {
  EATA_BYTES_A,
  EATA_BYTES_B,
  VAULT_BYTES_A,
  VAULT_BYTES_B,
} from '../../programs/ephemeral-token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
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
import {
  type DepositCreations,
  type DepositPlan,
  ownersPermission,
  planDepositA,
  planDepositB,
} from './plan.ts';
import type { DepositInput, DepositRequest } from './request.ts';
import {
  canReset,
  depositWarnings,
  type LeftPermission,
  notesOnReaders,
  readPermission,
} from './warnings.ts';

/** The switches of a deposit, with the layout's defaults applied. */
interface DepositSwitches {
  /** Whether a shuttle carries the tokens; otherwise the deposit is direct. */
  readonly byShuttle: boolean;
  readonly isPrivate: boolean;
  /** `vault` is null to create it only if it is missing. */
  readonly creates: Omit<DepositCreations, 'vault'> & { readonly vault: boolean | null };
}

/** A deposit that would add to a delegated eATA. */
interface DelegatedDeposit {
  readonly chain: Chain;
  readonly accounts: DepositAccounts;
  /** The validator of the deposit. */
  readonly validator: Address;
  readonly byShuttle: boolean;
  readonly delegated: Delegated;
}

/** The differences between deposits on the two layouts of the ephemeral token program. */
export interface DepositLayout {
  /** Whether native SOL is wrapped, and the rent PDA, which pays for shuttles, is checked. */
  readonly hasShuttles: boolean;
  /** Whether a deposit can reset a permission that lets others read. */
  readonly resetsPermission: boolean;
  /** Sizes of the accounts a deposit may create, except token accounts, bytes. */
  readonly bytes: { readonly eata: number; readonly vault: readonly number[] };
  /** How to use initVaultIfMissing if the vault is missing. */
  readonly vaultAdvice: string;
  switchesOf(input: Omit<DepositInput, 'owner' | 'amount'>): DepositSwitches;
  /**
   * Rejects a deposit into a delegated eATA if the program would reject it.
   *
   * @throws {ServiceError} EATA_SETTLING, EATA_DELEGATED_ELSEWHERE, EATA_VALIDATOR_MISMATCH,
   *   EATA_ALREADY_DELEGATED, ACCOUNT_UNREADABLE.
   */
  requireAddable(deposit: DelegatedDeposit): Promise<void>;
  plan(plan: DepositPlan): Instruction[];
}

/**
 * Deposits on layout A: directly into the vault, then the eATA is delegated. A delegated eATA cannot be added
 * to.
 */
const DEPOSIT_A: DepositLayout = {
  hasShuttles: false,
  resetsPermission: true,
  bytes: { eata: EATA_BYTES_A, vault: [VAULT_BYTES_A] },
  vaultAdvice: 'leave out initVaultIfMissing or set it to true',
  switchesOf: (input) => ({
    byShuttle: false,
    isPrivate: input.private ?? true,
    creates: {
      eata: input.initIfMissing ?? true,
      vault: input.initVaultIfMissing ?? null,
      ownerAta: input.initAtasIfMissing ?? false,
    },
  }),
  requireAddable: rejectDelegatedDeposit,
  plan: planDepositA,
};

const UNDELEGATE_FIRST =
  'Undelegate it on the rollup first (spl.undelegate; its tokens stay in it) and deposit again once the base ledger shows it.';

function rejectDelegatedDeposit({ chain, accounts, delegated }: DelegatedDeposit): Promise<never> {
  return rejectDelegated(chain, eataOf(accounts), delegated, {
    settling: { what: 'nothing can be added to it', advice: 'then deposit again' },
    elsewhere: 'Nothing can be added to it: deposit from another wallet.',
    delegated: (to) =>
      `is already delegated to ${to}, and the program on this cluster cannot add to a delegated account. ${chain.rollup === null ? staysDelegated(chain.cluster) : UNDELEGATE_FIRST}`,
  });
}

/** Deposits on layout B: by a shuttle with a fresh id, or directly. Defaults are those of the hosted API. */
export const DEPOSIT_B: DepositLayout = {
  hasShuttles: true,
  resetsPermission: false,
  // The vault has its own eATA.
  bytes: { eata: EATA_BYTES_B, vault: [VAULT_BYTES_B, EATA_BYTES_B] },
  vaultAdvice: 'set initVaultIfMissing to true',
  switchesOf: (input) => {
    const byShuttle = input.idempotent ?? true;
    const eata = input.initIfMissing ?? true;
    return {
      byShuttle,
      isPrivate: input.private ?? true,
      creates: {
        eata,
        vault: input.initVaultIfMissing ?? (byShuttle ? false : eata),
        ownerAta: byShuttle && (input.initAtasIfMissing ?? false),
      },
    };
  },
  requireAddable: requireShuttle,
  plan: planDepositB,
};

/**
 * A shuttle can add to an eATA delegated to its own validator. A direct deposit cannot add to a delegated
 * one.
 */
async function requireShuttle(deposit: DelegatedDeposit): Promise<void> {
  const { accounts, validator, byShuttle, delegated } = deposit;
  requireValidator(accounts.eata.address, { at: 'rollup', validator: delegated.validator }, validator);
  if (byShuttle) return;
  throw alreadyDelegated(
    eataOf(accounts),
    delegated.validator,
    (to) =>
      `is already delegated to ${to}, and a direct deposit cannot add to a delegated account. Leave out idempotent or set it to true: a shuttle can.`,
  );
}

/** Deposits by layout. */
export const DEPOSIT_LAYOUTS: Readonly<Record<Layout, DepositLayout>> = { a: DEPOSIT_A, b: DEPOSIT_B };

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
