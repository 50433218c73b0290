import type { Registry } from './registry.ts';

/** How the budget of a sponsor stands, lamports. */
interface SponsorFigures {
  readonly spent: bigint;
  readonly held: bigint;
  readonly limit: bigint;
}

/** Adds what the sponsor of gasless transfers has spent in the last hour, holds, and may spend. */
export function addSponsorMetrics(registry: Registry, figures: () => SponsorFigures): void {
  registry.gauge(
    'sponsor_budget_lamports',
    'Lamports of the sponsor of gasless transfers: spent in the last hour, held for what may still land, and the limit of both.',
    () => {
      const { spent, held, limit } = figures();
      return [
        [{ part: 'spent' }, Number(spent)],
        [{ part: 'held' }, Number(held)],
        [{ part: 'limit' }, Number(limit)],
      ];
    },
  );
}
