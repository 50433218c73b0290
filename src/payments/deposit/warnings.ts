import { NATIVE_MINT } from '../../programs/addresses.ts';
import { DELEGATION_METADATA_BYTES, DELEGATION_RECORD_BYTES } from '../../programs/delegation/state.ts';
import { PERMISSION_BYTES } from '../../programs/permission/state.ts';
import { ataBytes } from '../../programs/token/mint-extensions.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../solana/signature-fee.ts';
import type { Warning } from '../building/built-transaction.ts';
import {
  warnOfCpiGuard,
  warnOfFrozenAccount,
  warnOfFrozenVault,
  warnOfLowRentPda,
  warnOfTooFewLamports,
  warnOfTooFewTokens,
  warnOfUnknownValidator,
} from '../building/warnings.ts';
import { rentPdaLow, SHUTTLE_FEE_LAMPORTS, sumLamports } from '../fees/costs.ts';
import type { DepositState } from './draft.ts';
import type { DepositLayout } from './layout.ts';
import { isOwnersAlone, warnOfOtherReaders } from './permission-status.ts';
import type { DepositPlan } from './plan.ts';
import type { DepositRequest } from './request.ts';

/**
 * Conditions that can be fixed before sending and would otherwise make the deposit fail or strand its tokens.
 */
export function depositWarnings(
  plan: DepositPlan,
  state: DepositState,
  { facts, terms }: Pick<DepositRequest, 'facts' | 'terms'>,
  layout: DepositLayout,
): Warning[] {
  const warnings: Warning[] = [];
  const { accounts, amount } = plan;
  const ata = accounts.ownerAta;
  const held = state.ownerTokens?.amount ?? 0n;
  // The transaction itself wraps missing native SOL, from the lamports checked below.
  const isWrapped = layout.hasShuttles && accounts.mint === NATIVE_MINT;
  if (held < amount && !isWrapped) {
    warnings.push(warnOfTooFewTokens('deposit', { ata, held, taken: amount, ...facts }));
  }
  if (state.ownerTokens?.state === 'frozen') warnings.push(warnOfFrozenAccount(ata));
  if (state.ownerTokens?.rules.guardsCpi === true) warnings.push(warnOfCpiGuard(ata));
  if (state.vault?.state === 'frozen') warnings.push(warnOfFrozenVault(accounts.vaultAta));
  const created = createdBytes(plan, state, layout, ataBytes(facts.tokenProgram, terms?.extensions ?? null));
  const needed = sumLamports(state.rent, created, ...chargesOf(plan));
  if (state.ownerLamports < needed) {
    warnings.push(warnOfTooFewLamports('deposit', { who: 'owner', held: state.ownerLamports, needed }));
  }
  if (!state.validatorAdmitted) warnings.push(warnOfUnknownValidator(plan.validator));
  const rentPdaLamports = state.rentPdaLamports + plan.wrap.rentTopUpLamports;
  if (plan.shuttle !== null && rentPdaLamports < rentPdaLow(state.rent)) {
    warnings.push(warnOfLowRentPda(rentPdaLamports, state.rent));
  }
  if (leavesReaders(plan, state) && state.permission !== null) {
    warnings.push(warnOfOtherReaders(state.permission));
  }
  return warnings;
}

/**
 * Sizes of the accounts the plan creates permanently.
 *
 * @param ataSize size of a token account of the mint, bytes.
 */
function createdBytes(
  plan: DepositPlan,
  state: DepositState,
  { bytes }: DepositLayout,
  ataSize: number,
): number[] {
  const created: number[] = [];
  if (state.eata.at === 'nowhere') created.push(bytes.eata);
  // A delegated eATA has its records already.
  if (state.eata.at !== 'rollup') created.push(DELEGATION_RECORD_BYTES, DELEGATION_METADATA_BYTES);
  if (state.vault === null) created.push(...bytes.vault, ataSize);
  if (plan.permission !== null && state.permission === null) created.push(PERMISSION_BYTES);
  // Wrapping also creates the ATA.
  const createsOwnerAta = plan.creates.ownerAta || plan.wrap.wrapLamports > 0n;
  if (createsOwnerAta && state.ownerTokens === null) created.push(ataSize);
  return created;
}

const chargesOf = ({ shuttle, wrap }: DepositPlan): bigint[] => [
  LAMPORTS_PER_SIGNATURE,
  shuttle === null ? 0n : SHUTTLE_FEE_LAMPORTS,
  wrap.wrapLamports,
  wrap.rentTopUpLamports,
];

/** Whether a private deposit leaves a permission in place that lets others read. */
const leavesReaders = ({ permission: planned }: DepositPlan, { permission }: DepositState): boolean =>
  planned !== null && planned.resets !== true && permission !== null && !isOwnersAlone(permission);
