import { ataBytes } from '../../programs/token/account-bytes.ts';
import { expectedOwnerAta } from '../accounts/deposit-accounts.ts';
import type { Warning } from '../building/built-transaction.ts';
import { sumLamports } from '../fees/rent-costs.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import {
  warnOfConfidentialOnly,
  warnOfFrozenAccount,
  warnOfTooFewLamports,
} from '../warnings/account-warnings.ts';
import { warnOfArrival } from '../warnings/arrival-warnings.ts';
import type { WithdrawPlan } from './plan.ts';
import type { WithdrawRequest } from './request.ts';
import type { WithdrawState } from './state.ts';

/** What a withdrawal costs its owner besides the signature and the rent of the ATA. */
interface WithdrawCosts {
  /** Sizes of the accounts it creates permanently, bytes. */
  readonly createdBytes: readonly number[];
  readonly feeLamports: bigint;
}

/**
 * Conditions that can be fixed before sending and would otherwise make a withdrawal fail or give its tokens
 * to others.
 */
export function withdrawWarnings(
  plan: WithdrawPlan,
  state: WithdrawState,
  { facts, terms }: Pick<WithdrawRequest, 'facts' | 'terms'>,
  costs: WithdrawCosts,
): Warning[] {
  const { accounts, initOwnerAta } = plan;
  const { owner, ownerAta } = accounts;
  const { ownerTokens, ownerLamports: held } = state;
  const arrival = { ...expectedOwnerAta(accounts), owner, decimals: facts.decimals };
  // A withdrawal has no memo.
  const warnings = warnOfArrival({ ...arrival, memoMend: MEMO_MEND }, ownerTokens);
  if (ownerTokens?.state === 'frozen') warnings.push(warnOfFrozenAccount(ownerAta));
  if (ownerTokens?.rules.takesConfidentialOnly === true) {
    warnings.push(warnOfConfidentialOnly('the owner', ownerAta));
  }
  const created = [...costs.createdBytes];
  if (initOwnerAta && ownerTokens === null) {
    created.push(ataBytes(facts.tokenProgram, terms?.extensions ?? null));
  }
  const needed = sumLamports(state.rent, created, LAMPORTS_PER_SIGNATURE, costs.feeLamports);
  if (held < needed) warnings.push(warnOfTooFewLamports('withdrawal', { who: 'owner', held, needed }));
  return warnings;
}

const MEMO_MEND = 'switch that off first (MemoTransfer Disable)';
