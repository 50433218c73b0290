import type { Registry, Sample } from './registry.ts';

/** The figures of a facilitator. */
export interface FacilitatorFigures {
  /** Returns the number of payments that this process has brought to each final state. */
  counts(): Readonly<Record<'settled' | 'failed' | 'expired', number>>;
  /** Returns the number of payments without a final state, on all replicas. */
  pending(): Promise<number>;
  /** Returns the lamports spent in the last hour, and their limit. */
  budget(): Promise<{ readonly spent: bigint; readonly limit: bigint }>;
}

/** Adds the metrics of x402 payments. Scrapes omit values that the store cannot provide. */
export function addFacilitatorMetrics(registry: Registry, figures: FacilitatorFigures): void {
  registry.counter(
    'facilitator_payments_total',
    'x402 payments that this process has brought to a final state.',
    () => Object.entries(figures.counts()).map(([state, count]): Sample => [{ state }, count]),
  );
  registry.gauge(
    'facilitator_payments_pending',
    'x402 payments that are signed and have no outcome yet, of all replicas.',
    () =>
      figures.pending().then(
        (count): Sample[] => [[{}, count]],
        () => [],
      ),
  );
  registry.gauge(
    'facilitator_budget_lamports',
    'Lamports that the facilitator spent on x402 payments in the last hour, and its limit.',
    () =>
      figures.budget().then(
        ({ spent, limit }): Sample[] => [
          [{ part: 'spent' }, Number(spent)],
          [{ part: 'limit' }, Number(limit)],
        ],
        () => [],
      ),
  );
}
