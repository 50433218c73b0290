import type { Random } from '../../ports/random.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import type { Warning } from '../building/built-transaction.ts';
import { deriveDepositAccounts, expectedOwnerAta } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { requireValidator } from '../rollup-state/eata-status.ts';
import { readReleased } from '../rollup-state/released-eata.ts';
import { requireRollupBalance } from '../rollup-state/rollup-balance.ts';
import { rentPdaLow, SHUTTLE_FEE_LAMPORTS } from '../fees/shuttle-costs.ts';
import { readWithFreshShuttle } from '../accounts/shuttle.ts';
import { warnOfLowRentPda, warnOfUnknownValidator } from '../warnings/account-warnings.ts';
import { planShuttleWithdraw, type ShuttleWithdrawPlan } from './plan.ts';
import { requireDestination, requireHeld } from './refusals.ts';
import type { WithdrawRequest } from './request.ts';
import { readWithdrawState, type WithdrawState } from './state.ts';
import { withdrawWarnings } from './warnings.ts';

/**
 * Drafts a withdrawal from the rollup by a shuttle with a fresh id; layout B. Only the rollup knows the
 * balance of a delegated eATA. The draft has a warning if the rollup does not show it to the holder of
 * `token`.
 *
 * @throws {ServiceError} EATA_VALIDATOR_MISMATCH, EATA_BALANCE_TOO_LOW, TOKEN_ACCOUNT_NOT_FOUND,
 *   ACCOUNT_UNREADABLE.
 */
export async function draftShuttleWithdraw(
  request: WithdrawRequest,
  random: Random,
  token: string | undefined,
): Promise<Draft> {
  const { chain, input, facts, validator } = request;
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
  // The withdrawal itself brings its amount back.
  const left =
    state.eata.at === 'base' ? { ...state.eata, amount: state.eata.amount - input.amount } : state.eata;
  const delegating = { status: left, validator, ata: accounts.ownerAta, facts };
  const [released, balance] = await Promise.all([
    readReleased(chain, delegating),
    state.eata.at === 'rollup'
      ? requireRollupBalance(
          {
            chain,
            what: 'the withdrawal',
            source: expectedOwnerAta(accounts),
            validator,
            taken: input.amount,
            decimals: facts.decimals,
          },
          token,
        )
      : [],
  ]);
  return {
    instructions: planShuttleWithdraw(plan),
    warnings: [...warningsFor(plan, state, request), ...released, ...balance],
    notes: [],
  };
}

function warningsFor(plan: ShuttleWithdrawPlan, state: WithdrawState, request: WithdrawRequest): Warning[] {
  const { eata, validatorAdmitted, rentPdaLamports } = state;
  const warnings = withdrawWarnings(plan, state, request, {
    createdBytes: eata.at === 'rollup' ? [] : [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES],
    feeLamports: SHUTTLE_FEE_LAMPORTS,
  });
  if (!validatorAdmitted) warnings.push(warnOfUnknownValidator(plan.validator));
  if (rentPdaLamports < rentPdaLow(state.rent)) {
    warnings.push(warnOfLowRentPda(rentPdaLamports, state.rent));
  }
  return warnings;
}
