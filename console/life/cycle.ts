import type { Deed } from '../history/deed.ts';

/** The transactions of one deposit that the reader can see. */
export interface Cycle {
  readonly deposit: Deed | null;
  readonly payment: Deed | null;
  readonly undelegation: Deed | null;
  readonly settlement: Deed | null;
  readonly withdrawal: Deed | null;
}

/**
 * Selects the transactions of one cycle: the last deposit before the payment, and everything until the next
 * deposit. Without a payment, it selects the last cycle on base.
 *
 * @param base transactions of the wallet's eATA on base, in any order.
 * @param rollup transactions of its token account on the rollup; empty unless the owner reads.
 * @param signature of the payment; null for the last one.
 */
export function cycleOf(base: readonly Deed[], rollup: readonly Deed[], signature: string | null): Cycle {
  const onBase = [...base].sort((one, other) => one.slot - other.slot);
  const onRollup = [...rollup].sort((one, other) => one.slot - other.slot);
  const payments = onRollup.filter(({ kind }) => kind === 'payment');
  const payment = payments.find((deed) => deed.signature === signature) ?? payments.at(-1) ?? null;
  const deposits = onBase.filter(({ kind, hasFailed }) => kind === 'deposit' && !hasFailed);
  const before = payment === null ? deposits : deposits.filter(({ time }) => !isAfter(time, payment.time));
  const deposit = before.at(-1) ?? deposits.at(-1) ?? null;
  const next = deposits.find(({ slot }) => deposit !== null && slot > deposit.slot);
  const later = onBase.filter(
    ({ slot }) => slot >= (deposit?.slot ?? 0) && (next === undefined || slot < next.slot),
  );
  const settlement = later.find(({ kind }) => kind === 'settlement') ?? null;
  return {
    deposit,
    payment,
    undelegation:
      onRollup.find(({ kind, slot }) => kind === 'undelegation' && slot > (payment?.slot ?? 0)) ?? null,
    settlement,
    withdrawal:
      later.find(({ kind, slot }) => kind === 'withdrawal' && slot >= (settlement?.slot ?? 0)) ?? null,
  };
}

/** Compares times, because slots of two ledgers cannot be compared. */
const isAfter = (time: number | null, other: number | null): boolean =>
  time !== null && other !== null && time > other;
