import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { EataStatus } from '../rollup-state/eata-status.ts';
import type { WithdrawPlan } from './plan.ts';
import type { WithdrawState } from './state.ts';

/**
 * Refuses an amount above the balance of an eATA on base; a missing one holds nothing. The balance of a
 * delegated one is not known here.
 *
 * @throws {ServiceError} EATA_BALANCE_TOO_LOW.
 */
export function requireHeld(
  { accounts, amount }: WithdrawPlan,
  eata: EataStatus,
  { decimals, chain }: { readonly decimals: number; readonly chain: Chain },
): void {
  if (eata.at === 'rollup') return;
  const held = eata.at === 'base' ? eata.amount : 0n;
  if (held >= amount) return;
  const tokens = { mint: accounts.mint, decimals };
  throw new ServiceError(
    'EATA_BALANCE_TOO_LOW',
    `The ephemeral token account ${accounts.eata.address} of ${accounts.owner} holds ${describeTokens(held, tokens)} and the withdrawal takes ${describeTokens(amount, tokens)}: ${mendFor(held, chain)}`,
    { field: 'amount', eata: accounts.eata.address, held: held.toString(), amount: amount.toString() },
  );
}

/** A deposit delegates the eATA. Without shuttles and a rollup it could never be withdrawn again. */
function mendFor(held: bigint, { layout, rollup, cluster }: Chain): string {
  const most = `withdraw at most ${held} base units`;
  if (layout === 'b' || rollup !== null) return held === 0n ? 'deposit first' : `${most}, or deposit first`;
  if (held > 0n) return most;
  return `there is nothing to withdraw, and a deposit would stay delegated, since cluster ${cluster} has no rollup configured to undelegate it on; use another wallet or another cluster`;
}

/**
 * Refuses to pay to an ATA that neither exists nor is created.
 *
 * @throws {ServiceError} TOKEN_ACCOUNT_NOT_FOUND.
 */
export function requireDestination(plan: WithdrawPlan, state: WithdrawState): void {
  if (state.ownerTokens !== null || plan.initOwnerAta) return;
  const { owner, ownerAta } = plan.accounts;
  throw new ServiceError(
    'TOKEN_ACCOUNT_NOT_FOUND',
    `The token account ${ownerAta} of ${owner}, which would receive the tokens, does not exist; set initAtasIfMissing to true`,
    { field: 'initAtasIfMissing', ata: ownerAta, owner },
  );
}
