import type { Clusters } from '../chain/clusters.ts';
import type { ShownFacilitator } from '../console/operations.ts';
import { servedNetworks } from '../facilitator/networks.ts';
import type { FacilitatorFigures } from '../metrics/facilitator-metrics.ts';
import type { Timer } from '../ports/timer.ts';
import type { Address } from '../solana/address.ts';
import { PromptAnswer } from './console-state.ts';

interface FiguresSources {
  readonly clusters: Clusters;
  readonly feePayer: Address;
  readonly figures: FacilitatorFigures;
}

/** Reads what the console shows about the facilitator, except its URL. */
export type FacilitatorReader = () => Promise<Omit<ShownFacilitator, 'url'>>;

/**
 * Creates a reader for the console. If a node or store is slow, it uses the previous answer.
 *
 * @param timer limits the wait for nodes and stores.
 */
export function createFacilitatorReader(sources: FiguresSources, timer: Timer): FacilitatorReader {
  const { clusters, feePayer, figures } = sources;
  const promptly = <Value>(ask: () => Promise<Value>): PromptAnswer<Value | null> =>
    new PromptAnswer<Value | null>(() => ask().catch(() => null), timer, null);
  const balances = servedNetworks(clusters).map(({ chain }) => ({
    cluster: chain.cluster,
    lamports: promptly(async () => (await chain.getAccounts([feePayer]))[0]?.lamports ?? 0n),
  }));
  const pending = promptly(() => figures.pending());
  const budget = promptly(() => figures.budget());
  return async () => {
    const [ofClusters, pendingCount, budgetNow] = await Promise.all([
      Promise.all(
        balances.map(async ({ cluster, lamports }) => ({ cluster, lamports: await lamports.read() })),
      ),
      pending.read(),
      budget.read(),
    ]);
    const payments = { counts: figures.counts(), pending: pendingCount, budget: budgetNow };
    return { feePayer, balances: ofClusters, payments };
  };
}
