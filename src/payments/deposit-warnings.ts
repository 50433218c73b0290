import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../programs/delegation/record.ts';
import { EATA_BYTES_A, VAULT_BYTES_A } from '../programs/ephemeral-token/state.ts';
import { PERMISSION_BYTES } from '../programs/permission/pdas.ts';
import { TOKEN_ACCOUNT_BYTES } from '../programs/token/state.ts';
import type { Address } from '../solana/address.ts';
import { rentExemptMinimum } from '../solana/rent.ts';
import { formatBaseUnits } from './base-units.ts';
import type { Warning } from './built-transaction.ts';
import type { DepositPlanA } from './deposit-plan-a.ts';
import type { DepositState } from './deposit-state.ts';

/** Lamports a signature costs (Agave `DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE` / 2). */
const LAMPORTS_PER_SIGNATURE = 5_000n;

/**
 * What would make the deposit fail, or strand it, as things stand, and the owner can still change before sending:
 * too few tokens, a frozen account, too few lamports, a validator that cannot settle.
 */
export function depositWarnings(
  plan: DepositPlanA,
  state: DepositState,
  validator: Address,
  decimals: number,
): Warning[] {
  const warnings: Warning[] = [];
  const held = state.ownerTokens?.amount ?? 0n;
  if (held < plan.amount) {
    warnings.push({
      code: 'INSUFFICIENT_TOKENS',
      message: `The owner's token account ${plan.accounts.ownerAta} holds ${formatBaseUnits(held, decimals)} and the deposit takes ${formatBaseUnits(plan.amount, decimals)}: fund it before sending, or the transaction fails.`,
    });
  }
  if (state.ownerTokens?.state === 'frozen') {
    warnings.push({
      code: 'TOKEN_ACCOUNT_FROZEN',
      message: `The owner's token account ${plan.accounts.ownerAta} is frozen: the transaction fails until the mint's freeze authority thaws it.`,
    });
  }
  const lamports = lamportsNeeded(plan, state);
  if (state.ownerLamports < lamports) {
    warnings.push({
      code: 'INSUFFICIENT_LAMPORTS',
      message: `The owner holds ${state.ownerLamports} lamports and the deposit takes at least ${lamports} for rent and fee: fund the wallet before sending, or the transaction fails.`,
    });
  }
  if (!state.validatorAdmitted) {
    warnings.push({
      code: 'VALIDATOR_NOT_ADMITTED',
      message: `The delegation program on this cluster has no fees vault for validator ${validator}, so that validator could not give the deposit back. Leave out validator to use the cluster's own.`,
    });
  }
  return warnings;
}

/** Rents of the accounts the plan creates for good, and the fee. What is created and closed again comes on top. */
function lamportsNeeded(plan: DepositPlanA, state: DepositState): bigint {
  const created = [DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES];
  if (!state.eataExists) created.push(EATA_BYTES_A);
  if (!state.vaultExists) created.push(VAULT_BYTES_A, TOKEN_ACCOUNT_BYTES);
  if (plan.permission !== null && !state.permissionExists) created.push(PERMISSION_BYTES);
  if (plan.initOwnerAta && state.ownerTokens === null) created.push(TOKEN_ACCOUNT_BYTES);
  return created.reduce((sum, bytes) => sum + rentExemptMinimum(bytes), LAMPORTS_PER_SIGNATURE);
}
