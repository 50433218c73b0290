import type { Deed } from '../history/deed.ts';

/** The steps of one deposit, as far as the reader sees them. */
export interface Cycle {
  readonly deposit: Deed | null;
  readonly payment: Deed | null;
  readonly undelegation: Deed | null;
  readonly settlement: Deed | null;
  readonly withdrawal: Deed | null;
}

/**
 * Picks the transactions of one life: the deposit before the payment, and what came after it until the next
 * deposit. Without a payment it is the last life that base shows.
 *
 * @param base deeds of the wallet's eATA on base, in any order.
 * @param rollup deeds of its token account on the rollup, as its owner reads them; empty for everyone else.
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

/** The ledgers have slots of their own: what they share is the second. */
const isAfter = (time: number | null, other: number | null): boolean =>
  time !== null && other !== null && time > other;
