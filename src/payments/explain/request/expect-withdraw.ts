import { deriveDepositAccounts } from '../../accounts/deposit-accounts.ts';
import { deriveShuttle } from '../../accounts/shuttle.ts';
import { closesOwnerAta, planDirectWithdraw, planShuttleWithdraw } from '../../withdraw/plan.ts';
import { isDirectWithdrawal, type WithdrawInput } from '../../withdraw/request.ts';
import { expectedValidator, type Expectation, type ExpectationSource } from './expectation.ts';

/** The expected transaction of a withdrawal. */
export function expectWithdraw(input: WithdrawInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  const { owner, mint, amount } = input;
  const accounts = deriveDepositAccounts(owner, mint, hints.tokenProgramOf(mint));
  const base = { accounts, amount, initOwnerAta: input.initAtasIfMissing ?? false };
  const claims = { owner, amount: amount.toString(), mint };
  if (isDirectWithdrawal(chain.layout, input)) {
    const instructions = planDirectWithdraw({
      ...base,
      layout: chain.layout,
      closesOwnerAta: closesOwnerAta(mint, input.idempotent ?? true),
    });
    return { sendTo: 'base', feePayer: owner, instructions, claims, doubts: [], mints: [mint] };
  }
  const { validator, doubts } = expectedValidator(input.validator, source);
  const instructions = planShuttleWithdraw({
    ...base,
    validator,
    shuttle: deriveShuttle(accounts, hints.shuttleId ?? 0),
    initEata: input.initIfMissing ?? true,
  });
  return {
    sendTo: 'base',
    feePayer: owner,
    instructions,
    claims: { ...claims, validator },
    doubts,
    mints: [mint],
  };
}
