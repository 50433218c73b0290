import type { Chain } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { createLocalOperations, type LocalOperations } from '../../kit/local-operations.ts';
import { openTrustedLedgers } from '../../kit/trusted-ledgers.ts';
import type { VerbExit } from './exit-codes.ts';
import { inWordsOfVerbs } from './advice.ts';
import { requireNetwork } from './network-guard.ts';
import { settleLayout, unaskedLayout } from './settle-layout.ts';
import { readTarget, type Target } from './target.ts';
import type { VerbCall } from './verb-call.ts';

/** The nodes that a verb asks itself, whatever a service says. */
export interface Ledgers {
  readonly target: Target;
  readonly clusters: Clusters;
  readonly chain: Chain;
  readonly local: LocalOperations;
}

/**
 * Lets `work` use the ledgers that the flags name, and closes the connections after it.
 *
 * @param isOffline whether no node is asked for anything beforehand.
 * @throws {VerbFailure} where the ledger is another network's than was named.
 */
export async function withLedgers(
  call: VerbCall,
  work: (ledgers: Ledgers) => Promise<VerbExit>,
  isOffline: boolean = false,
): Promise<VerbExit> {
  const target = readTarget(call, isOffline);
  if (!isOffline) await requireNetwork(target);
  const settled = isOffline ? unaskedLayout(target) : await settleLayout(call, target);
  const { layout } = settled;
  const { service, base, rollup, cluster } = target;
  const opened = openTrustedLedgers({ url: service, base, rollup: rollup ?? undefined, cluster, layout });
  try {
    const { clusters } = opened;
    // A gasless payment is signed by its sponsor first; no verb asks for one.
    const local = createLocalOperations(clusters, null);
    return await work({ target, clusters, chain: clusters.resolve(undefined), local });
  } catch (error) {
    throw inWordsOfVerbs(error, { settled, target });
  } finally {
    opened.close();
  }
}
