import type { Layout, Rollup } from '../chain/chain.ts';
import { openExternalRollup } from '../chain/clusters.ts';
import { isGateway } from '../config/config.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import type { EmbeddedRollup } from '../rollup/rollup.ts';
import { openExternalRollupNode, openGatewayNode } from './gateway-node.ts';
import { type LedgerNode, type LedgerNodeOptions, type NamedMint, openLedgerNode } from './ledger-node.ts';
import { type NodeContext, type NodeEndpoint, type Resource, Resources, type StackNode } from './node.ts';
import { openRollupNode, type RollupNode } from './rollup-node.ts';
import type { Localnet } from './tool-server.ts';

interface NodesOptions extends LedgerNodeOptions {
  /** The addresses of the rollup's node; null if it does not listen. */
  readonly rollupEndpoint: NodeEndpoint | null;
}

/** The ledgers of this process. */
export interface EmbeddedLedgers {
  readonly base: EmbeddedLedger;
  /** The rollup; null if there is none. */
  readonly rollup: EmbeddedRollup | null;
}

/** The nodes under the tool service. */
export interface Nodes extends Resource {
  /** The node of the embedded ledger, or a gateway; null if there is none. */
  readonly base: StackNode | null;
  /** The node of the embedded rollup, or of an external one for the console; null if there is none. */
  readonly rollup: StackNode | null;
  /** The cluster `localnet`; null if there is none. */
  readonly localnet: Localnet | null;
  /** The embedded ledgers; null if there are none. */
  readonly ledgers: EmbeddedLedgers | null;
  readonly dataFolder: string | null;
  /** Layout of the embedded ledger's programs; null without one. */
  readonly layout: Layout | null;
  readonly mints: readonly NamedMint[];
  readonly warnings: readonly string[];
}

/** The nodes of a service that only uses remote clusters: none. */
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
 * Opens the embedded ledger with its rollup, or a gateway, depending on the settings.
 *
 * @throws {ServiceError} the errors of openLedgerNode, openRollupNode and openExternalRollup.
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
      dataFolder: 'folder' in base.home ? base.home.folder : null,
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
  { rollupEndpoint, reset }: NodesOptions,
): Promise<RollupNode> {
  return openRollupNode(context, { base: ledger, layout, home, reset, endpoint: rollupEndpoint });
}

/** Opens the console's node for an external rollup; null without an external rollup or a console. */
function findPagesRollup(context: NodeContext, resources: Resources): StackNode | null {
  if (context.config.rollup !== 'external' || context.calls === null) return null;
  return resources.add(openExternalRollupNode(context));
}

/** Opens the external rollup; null if there is none. */
function findExternalRollup({ config, ports }: NodeContext, resources: Resources): Rollup | null {
  if (config.rollup !== 'external') return null;
  return resources.add(openExternalRollup(config, ports)).rollup;
}
