import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDepositAccounts } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { staysDelegated } from '../rollup-state/eata-status.ts';
import { requireOwnValidator } from '../rollup-state/other-validator.ts';
import { isSettlingOn, stillSettling } from '../rollup-state/settling.ts';
import { closesOwnerAta, planDirectWithdraw, type DirectWithdrawPlan } from './plan.ts';
import { requireDestination, requireHeld, stillDelegated } from './refusals.ts';
import type { WithdrawRequest } from './request.ts';
import { readWithdrawState } from './state.ts';
import { withdrawWarnings } from './warnings.ts';

const UNDELEGATE_FIRST =
  'undelegate it on the rollup first (spl.undelegate), wait for the settlement to reach the base ledger and withdraw then';
const BY_SHUTTLE = 'leave out idempotent or set it to true to go through a shuttle';

/** What to do about an eATA that is delegated: only layout B has shuttles, and only a rollup undelegates. */
function wayOut({ layout, rollup, cluster }: Chain): string {
  const ways = [...(layout === 'b' ? [BY_SHUTTLE] : []), ...(rollup === null ? [] : [UNDELEGATE_FIRST])];
  return ways.length === 0 ? staysDelegated(cluster) : `To withdraw, ${ways.join('; or ')}.`;
}

/**
 * A withdrawal straight from the vault: the only form of layout A, and on layout B the one with `idempotent: false`.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE, EATA_BALANCE_TOO_LOW,
 *   TOKEN_ACCOUNT_NOT_FOUND, ACCOUNT_UNREADABLE.
 */
export async function draftDirectWithdraw(request: WithdrawRequest): Promise<Draft> {
  const { chain, input, facts, validator } = request;
  const accounts = deriveDepositAccounts(input.owner, facts.mint, facts.tokenProgram);
  const [isSettling, state] = await Promise.all([
    isSettlingOn(chain, accounts.eata.address),
    readWithdrawState(chain, accounts, validator, null),
  ]);
  const plan: DirectWithdrawPlan = {
    layout: chain.layout,
    accounts,
    amount: input.amount,
    initOwnerAta: input.initAtasIfMissing ?? false,
    closesOwnerAta: closesOwnerAta(facts.mint, input.idempotent ?? true),
  };
  if (state.eata.at === 'rollup') {
    if (isSettling)
      throw stillSettling(placeOf(plan), 'the vault cannot pay its tokens out', 'then withdraw');
    await requireReturnable(plan, state.eata.validator, chain);
    throw stillDelegated(plan, state.eata.validator, wayOut(chain));
  }
  requireHeld(plan, state.eata, { decimals: facts.decimals, chain });
  requireDestination(plan, state);
  return {
    instructions: planDirectWithdraw(plan),
    warnings: withdrawWarnings(plan, state, request, { createdBytes: [], feeLamports: 0n }),
    notes: notesOn(plan),
  };
}

/** @throws {ServiceError} EATA_DELEGATED_ELSEWHERE when the cluster's rollup could not give the eATA back. */
async function requireReturnable(
  plan: DirectWithdrawPlan,
  validator: Address | null,
  { rollup, cluster }: Chain,
): Promise<void> {
  if (rollup === null || validator === null) return;
  const place = { ...placeOf(plan), cluster };
  requireOwnValidator(place, validator, await rollup.identity(), 'Nothing can be withdrawn from it.');
}

const placeOf = ({ accounts }: DirectWithdrawPlan) => ({
  eata: accounts.eata.address,
  owner: accounts.owner,
});

const notesOn = ({ closesOwnerAta: closes, accounts }: DirectWithdrawPlan): string[] =>
  closes
    ? [`It then closes the token account ${accounts.ownerAta}: all wrapped SOL in it becomes plain SOL.`]
    : [];
