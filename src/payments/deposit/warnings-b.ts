import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/record.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { VAULT_BYTES_B } from '../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { EATA_BYTES_B } from '../../programs/ephemeral-token/state.ts';
import { PERMISSION_BYTES } from '../../programs/permission/pdas.ts';
import { ataBytes } from '../../programs/token/account-bytes.ts';
import type { Warning } from '../building/built-transaction.ts';
import { LAMPORTS_PER_SIGNATURE, sumLamports } from '../fees/rent-costs.ts';
import { RENT_PDA_LOW_LAMPORTS, SHUTTLE_FEE_LAMPORTS } from '../fees/rent-pda.ts';
import {
  warnOfCpiGuard,
  warnOfFrozenAccount,
  warnOfFrozenVault,
  warnOfLowRentPda,
  warnOfTooFewLamports,
  warnOfTooFewTokens,
  warnOfUnknownValidator,
} from '../warnings/account-warnings.ts';
import { isOwnersAlone, warnOfOtherReaders } from './permission-status.ts';
import type { DepositPlanB } from './plan-b.ts';
import type { DepositRequest } from './request.ts';
import type { DepositStateB } from './state-b.ts';

/** What would make a deposit on layout B fail, or strand it, as things stand, and can be mended before sending. */
export function depositWarningsB(
  plan: DepositPlanB,
  state: DepositStateB,
  { facts, terms }: Pick<DepositRequest, 'facts' | 'terms'>,
): Warning[] {
  const { decimals } = facts;
  const warnings: Warning[] = [];
  const isNative = plan.accounts.mint === NATIVE_MINT;
  const ata = plan.accounts.ownerAta;
  const held = state.ownerTokens?.amount ?? 0n;
  // Native SOL that is short gets wrapped by the transaction itself, out of the lamports that are looked at below.
  if (held < plan.amount && !isNative) {
    warnings.push(
      warnOfTooFewTokens('deposit', { ata, held, taken: plan.amount, mint: plan.accounts.mint, decimals }),
    );
  }
  if (state.ownerTokens?.state === 'frozen') warnings.push(warnOfFrozenAccount(ata));
  if (state.ownerTokens?.rules.guardsCpi === true) warnings.push(warnOfCpiGuard(ata));
  if (state.vault?.state === 'frozen') warnings.push(warnOfFrozenVault(plan.accounts.vaultAta));
  const needed = lamportsNeeded(plan, state, ataBytes(facts.tokenProgram, terms?.extensions ?? null));
  if (state.ownerLamports < needed) {
    warnings.push(warnOfTooFewLamports('deposit', { who: 'owner', held: state.ownerLamports, needed }));
  }
  if (!state.validatorAdmitted) warnings.push(warnOfUnknownValidator(plan.validator));
  const rentPdaLamports = state.rentPdaLamports + plan.wrap.rentTopUpLamports;
  if (plan.shuttle !== null && rentPdaLamports < RENT_PDA_LOW_LAMPORTS) {
    warnings.push(warnOfLowRentPda(rentPdaLamports));
  }
  if (plan.isPrivate && state.permission !== null && !isOwnersAlone(state.permission)) {
    warnings.push(warnOfOtherReaders(state.permission));
  }
  return warnings;
}

/** Rents of the accounts the plan creates for good, the fees, and what is wrapped. */
function lamportsNeeded(plan: DepositPlanB, state: DepositStateB, ataSize: number): bigint {
  const { wrap } = plan;
  const created: number[] = [];
  if (state.eata.at === 'nowhere') created.push(EATA_BYTES_B);
  if (state.eata.at !== 'rollup') created.push(DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES);
  if (state.vault === null) created.push(VAULT_BYTES_B, EATA_BYTES_B, ataSize);
  if (plan.isPrivate && state.permission === null) created.push(PERMISSION_BYTES);
  const createsOwnerAta = plan.initOwnerAta || wrap.wrapLamports > 0n;
  if (createsOwnerAta && state.ownerTokens === null) created.push(ataSize);
  const shuttleFee = plan.shuttle === null ? 0n : SHUTTLE_FEE_LAMPORTS;
  return sumLamports(created, LAMPORTS_PER_SIGNATURE, shuttleFee, wrap.wrapLamports, wrap.rentTopUpLamports);
}
