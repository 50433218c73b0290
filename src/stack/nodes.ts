import type { Layout, Rollup } from '../chain/chain.ts';
import { openExternalRollup } from '../chain/create-clusters.ts';
import { isGateway } from '../config/config.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { EmbeddedRollup } from '../rollup/rollup.ts';
import type { NamedMint } from './faucet-mints.ts';
import { openExternalRollupNode, openGatewayNode } from './gateway-node.ts';
import { type LedgerNode, type LedgerNodeOptions, openLedgerNode } from './ledger-node.ts';
import type { NodeContext, NodeEndpoint, StackNode } from './node.ts';
import { type Resource, Resources } from './resources.ts';
import { openRollupNode, type RollupNode } from './rollup-node.ts';
import type { Localnet } from './tool-server.ts';

/** How the nodes are opened. */
interface NodesOptions extends LedgerNodeOptions {
  /** Where the rollup's node will listen; null where it does not. */
  readonly rollupEndpoint: NodeEndpoint | null;
}

/** The ledgers of this process. */
export interface EmbeddedLedgers {
  readonly base: EmbeddedLedger;
  /** Null where there is none. */
  readonly rollup: EmbeddedRollup | null;
}

/** The nodes under the tool service, and what it works on. */
export interface Nodes extends Resource {
  /** The embedded ledger's, or a gateway to another one; null where there is none. */
  readonly base: StackNode | null;
  /** That of the rollup on top of it; null where there is none, and without the console for one elsewhere. */
  readonly rollup: StackNode | null;
  /** The cluster `localnet`; null where there is none. */
  readonly localnet: Localnet | null;
  /** The embedded ledgers; null where there are none. */
  readonly ledgers: EmbeddedLedgers | null;
  readonly dataFolder: string | null;
  /** Of the programs that the embedded ledger runs; null where there is none. */
  readonly layout: Layout | null;
  readonly mints: readonly NamedMint[];
  readonly warnings: readonly string[];
}

/** Where only other clusters are spoken of. */
export const NO_NODES: Nodes = {
  base: null,
  rollup: null,
  localnet: null,
  ledgers: null,
  dataFolder: null,
  layout: null,
  mints: [],
  warnings: [],
  close: () => undefined,
};

/**
 * Opens the embedded ledger with its rollup, or a gateway, as the settings say.
 *
 * @throws {ServiceError} what openLedgerNode, openRollupNode and openExternalRollup throw.
 */
export async function openNodes(context: NodeContext, options: NodesOptions): Promise<Nodes> {
  if (!isGateway(context.config)) return await openLocalNodes(context, options);
  const gateway = openGatewayNode(context);
  return { ...NO_NODES, base: gateway, close: () => gateway.close() };
}

function openLocalNodes(context: NodeContext, options: NodesOptions): Promise<Nodes> {
  return Resources.open(async (resources) => {
    const base = resources.add(await openLedgerNode(context, options));
    const { layout, mints, warnings } = base;
    const rollup =
      context.config.rollup === 'embedded' ? resources.add(await openRollupOn(base, context, options)) : null;
    const chain = base.chainWith(rollup?.chain ?? findExternalRollup(context, resources));
    return {
      base,
      rollup: rollup ?? findPagesRollup(context, resources),
      localnet: { chain, faucet: base.ledger },
      ledgers: { base: base.ledger, rollup: rollup?.rollup ?? null },
      dataFolder: base.home.folder,
      layout,
      mints,
      warnings,
      close: () => resources.close(),
    };
  });
}

function openRollupOn(
  { ledger, layout, home }: LedgerNode,
  context: NodeContext,
  { rollupEndpoint }: NodesOptions,
): Promise<RollupNode> {
  return openRollupNode(context, { base: ledger, layout, home, endpoint: rollupEndpoint });
}

/** What the page asks an external rollup through; null where there is none, or no page. */
function findPagesRollup(context: NodeContext, resources: Resources): StackNode | null {
  if (context.config.rollup !== 'external' || context.calls === null) return null;
  return resources.add(openExternalRollupNode(context));
}

/** The external rollup; null where there is none. */
function findExternalRollup({ config, ports }: NodeContext, resources: Resources): Rollup | null {
  if (config.rollup !== 'external') return null;
  return resources.add(openExternalRollup(config, ports)).rollup;
}
