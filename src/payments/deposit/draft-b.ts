import type { Random } from '../../ports/random.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { requireValidator } from '../rollup-state/eata-status.ts';
import { readWithFreshShuttle } from '../accounts/shuttle.ts';
import { findWrapNeeds, NO_WRAP, wrapNotes, type WrapNeeds } from '../mints/wrapped-sol.ts';
import { planDepositB, type DepositPlanB } from './plan-b.ts';
import { alreadyDelegated, eataMissing, vaultMissing } from './refusals.ts';
import type { DepositInput, DepositRequest } from './request.ts';
import { readDepositStateB, type DepositStateB } from './state-b.ts';
import { depositWarningsB } from './warnings-b.ts';

/** The switches of a deposit with the hosted API's defaults in place of those that were left out. */
export type DepositOptionsB = Pick<DepositPlanB, 'initEata' | 'initVault' | 'initOwnerAta' | 'isPrivate'> & {
  /** Whether a shuttle carries the tokens; otherwise they are deposited directly. */
  readonly byShuttle: boolean;
};

/** Fills in what the caller left out, as the hosted API does. */
export function depositOptionsB(input: Omit<DepositInput, 'owner' | 'amount'>): DepositOptionsB {
  const byShuttle = input.idempotent ?? true;
  const initEata = input.initIfMissing ?? true;
  return {
    byShuttle,
    initEata,
    initVault: input.initVaultIfMissing ?? (byShuttle ? false : initEata),
    initOwnerAta: byShuttle && (input.initAtasIfMissing ?? false),
    isPrivate: input.private ?? true,
  };
}

/**
 * A deposit on layout B: by a shuttle with a fresh id, or directly.
 *
 * @throws {ServiceError} EATA_VALIDATOR_MISMATCH, EATA_ALREADY_DELEGATED, EATA_NOT_INITIALIZED, VAULT_NOT_INITIALIZED,
 *   ACCOUNT_UNREADABLE.
 */
export async function draftDepositB(
  { chain, input, facts, terms, validator }: DepositRequest,
  random: Random,
): Promise<Draft> {
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const { byShuttle, ...options } = depositOptionsB(input);
  const { shuttle, state } = byShuttle
    ? await readWithFreshShuttle(accounts, random, (drawn) =>
        readDepositStateB(chain, accounts, validator, drawn),
      )
    : { shuttle: null, state: await readDepositStateB(chain, accounts, validator, null) };
  const plan: DepositPlanB = {
    accounts,
    payer: input.owner,
    amount: input.amount,
    validator,
    shuttle,
    ...options,
    wrap: facts.mint === NATIVE_MINT ? wrapFor(input.amount, state) : NO_WRAP,
  };
  refuseWhatCannotWork(plan, state);
  return {
    instructions: planDepositB(plan),
    warnings: depositWarningsB(plan, state, { facts, terms }),
    notes: wrapNotes(plan.wrap),
  };
}

const wrapFor = (wanted: bigint, { ownerTokens, rentPdaLamports }: DepositStateB): WrapNeeds =>
  findWrapNeeds({ wanted, wrapped: ownerTokens?.amount ?? 0n, rentPdaLamports });

function refuseWhatCannotWork(plan: DepositPlanB, state: DepositStateB): void {
  const { owner, mint } = plan.accounts;
  const eata = plan.accounts.eata.address;
  requireValidator(eata, state.eata, plan.validator);
  if (state.eata.at === 'rollup' && plan.shuttle === null) {
    throw alreadyDelegated(
      { eata, owner, mint },
      state.eata.validator,
      'a direct deposit cannot add to a delegated account. Leave out idempotent or set it to true: a shuttle can.',
    );
  }
  if (state.eata.at === 'nowhere' && !plan.initEata) throw eataMissing(eata);
  if (state.vault === null && !plan.initVault) throw vaultMissing(mint, 'set initVaultIfMissing to true');
}
