import type { Random } from '../../ports/random.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import { ataBytes } from '../../programs/token/account-bytes.ts';
import { warnOfArrival } from '../warnings/arrival-warnings.ts';
import type { Warning } from '../building/built-transaction.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { requireValidator } from '../rollup-state/eata-status.ts';
import { LAMPORTS_PER_SIGNATURE, sumLamports } from '../fees/rent-costs.ts';
import { RENT_PDA_LOW_LAMPORTS, SHUTTLE_FEE_LAMPORTS } from '../fees/rent-pda.ts';
import { readWithFreshShuttle } from '../accounts/shuttle.ts';
import {
  warnOfFrozenAccount,
  warnOfLowRentPda,
  warnOfTooFewLamports,
  warnOfUnknownValidator,
} from '../warnings/account-warnings.ts';
import { arrivalOf } from './arrival.ts';
import { planShuttleWithdraw, type ShuttleWithdrawPlan } from './plan.ts';
import { requireDestination, requireHeld } from './refusals.ts';
import type { WithdrawRequest } from './request.ts';
import { readWithdrawState, type WithdrawState } from './state.ts';

/**
 * A withdrawal from the rollup by a shuttle with a fresh id; layout B. What a delegated eATA holds its rollup alone
 * knows, so that more than that is not noticed here.
 *
 * @throws {ServiceError} EATA_VALIDATOR_MISMATCH, EATA_BALANCE_TOO_LOW, TOKEN_ACCOUNT_NOT_FOUND, ACCOUNT_UNREADABLE.
 */
export async function draftShuttleWithdraw(
  { chain, input, facts, terms, validator }: WithdrawRequest,
  random: Random,
): Promise<Draft> {
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const { shuttle, state } = await readWithFreshShuttle(accounts, random, (drawn) =>
    readWithdrawState(chain, accounts, validator, drawn),
  );
  const plan: ShuttleWithdrawPlan = {
    accounts,
    amount: input.amount,
    validator,
    shuttle,
    initEata: input.initIfMissing ?? true,
    initOwnerAta: input.initAtasIfMissing ?? false,
  };
  requireValidator(accounts.eata.address, state.eata, validator);
  requireHeld(plan, state.eata, { decimals: facts.decimals, chain });
  requireDestination(plan, state);
  return {
    instructions: planShuttleWithdraw(plan),
    warnings: warningsFor(plan, state, { facts, terms }),
    notes: [],
  };
}

function warningsFor(
  plan: ShuttleWithdrawPlan,
  state: WithdrawState,
  { facts, terms }: Pick<WithdrawRequest, 'facts' | 'terms'>,
): Warning[] {
  const warnings: Warning[] = [];
  warnings.push(...warnOfArrival(arrivalOf(plan, facts.decimals), state.ownerTokens));
  if (state.ownerTokens?.state === 'frozen') warnings.push(warnOfFrozenAccount(plan.accounts.ownerAta));
  const needed = lamportsNeeded(plan, state, ataBytes(facts.tokenProgram, terms?.extensions ?? null));
  if (state.ownerLamports < needed) {
    warnings.push(warnOfTooFewLamports('withdrawal', { who: 'owner', held: state.ownerLamports, needed }));
  }
  if (!state.validatorAdmitted) warnings.push(warnOfUnknownValidator(plan.validator));
  if (state.rentPdaLamports < RENT_PDA_LOW_LAMPORTS) warnings.push(warnOfLowRentPda(state.rentPdaLamports));
  return warnings;
}

/** Rents of the accounts the plan creates for good, and the fees. */
function lamportsNeeded(plan: ShuttleWithdrawPlan, state: WithdrawState, ataSize: number): bigint {
  const created: number[] = [];
  if (state.eata.at !== 'rollup') created.push(DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES);
  if (plan.initOwnerAta && state.ownerTokens === null) created.push(ataSize);
  return sumLamports(created, LAMPORTS_PER_SIGNATURE, SHUTTLE_FEE_LAMPORTS);
}
