import { ServiceError } from '../../errors/service-error.ts';
import type { Random } from '../../ports/random.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import { readWithFreshShuttle, type Shuttle } from '../accounts/shuttle.ts';
import type { Draft } from '../building/draft.ts';
import { findWrapNeeds, NO_WRAP, wrapNotes } from '../mints/wrapped-sol.ts';
import { readReleased } from '../rollup-state/released-eata.ts';
import { DEPOSIT_LAYOUTS } from './layouts.ts';
import { canReset, notesOnReaders } from './permission-status.ts';
import { type DepositPlan, ownersPermission } from './plan.ts';
import type { DepositRequest } from './request.ts';
import { type DepositState, readDepositState } from './state.ts';
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
 * @param mend how to use initVaultIfMissing.
 */
const vaultMissing = (mint: Address, mend: string): ServiceError =>
  new ServiceError('VAULT_NOT_INITIALIZED', `The vault of mint ${mint} does not exist yet; ${mend}`, {
    field: 'initVaultIfMissing',
    mint,
  });

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
  if (state.vault === null && creates.vault === false) throw vaultMissing(facts.mint, layout.vaultMend);
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
