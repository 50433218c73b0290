import type { Chain } from '../../chain/chain.ts';
import { deriveDepositAccounts, eataOf } from '../accounts/deposit-accounts.ts';
import type { Draft } from '../building/draft.ts';
import { staysDelegated } from '../rollup-state/eata-status.ts';
import { refuseDelegated, type DelegatedWords } from '../rollup-state/refuse-delegated.ts';
import { isSettlingOn } from '../rollup-state/settling.ts';
import { closesOwnerAta, planDirectWithdraw, type DirectWithdrawPlan } from './plan.ts';
import { requireDestination, requireHeld } from './refusals.ts';
import type { WithdrawRequest } from './request.ts';
import { readWithdrawState } from './state.ts';
import { withdrawWarnings } from './warnings.ts';

const UNDELEGATE_FIRST =
  'undelegate it on the rollup first (spl.undelegate), wait for the settlement to reach the base ledger and withdraw then';
const BY_SHUTTLE = 'leave out idempotent or set it to true to go through a shuttle';

/** What to do about a delegated eATA: only layout B has shuttles, and only a rollup undelegates. */
function wayOut({ layout, rollup, cluster }: Chain): string {
  const ways = [...(layout === 'b' ? [BY_SHUTTLE] : []), ...(rollup === null ? [] : [UNDELEGATE_FIRST])];
  return ways.length === 0 ? staysDelegated(cluster) : `To withdraw, ${ways.join('; or ')}.`;
}

const wordsOf = (chain: Chain): DelegatedWords => ({
  settling: { what: 'the vault cannot pay its tokens out', mend: 'then withdraw' },
  elsewhere: 'Nothing can be withdrawn from it.',
  delegated: (to) =>
    `is delegated to ${to}: its tokens are on the rollup and the vault cannot pay them out. ${wayOut(chain)}`,
});

/**
 * Drafts a withdrawal directly from the vault: the only form of layout A, and on layout B that with
 * `idempotent: false`.
 *
 * @throws {ServiceError} EATA_SETTLING, EATA_ALREADY_DELEGATED, EATA_DELEGATED_ELSEWHERE,
 *   EATA_BALANCE_TOO_LOW, TOKEN_ACCOUNT_NOT_FOUND, ACCOUNT_UNREADABLE.
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
    const { validator: delegatedTo } = state.eata;
    return refuseDelegated(chain, eataOf(accounts), { validator: delegatedTo, isSettling }, wordsOf(chain));
  }
  requireHeld(plan, state.eata, { decimals: facts.decimals, chain });
  requireDestination(plan, state);
  return {
    instructions: planDirectWithdraw(plan),
    warnings: withdrawWarnings(plan, state, request, { createdBytes: [], feeLamports: 0n }),
    notes: notesOn(plan),
  };
}

const notesOn = ({ closesOwnerAta: closes, accounts }: DirectWithdrawPlan): string[] =>
  closes
    ? [`It then closes the token account ${accounts.ownerAta}: all wrapped SOL in it becomes plain SOL.`]
    : [];
