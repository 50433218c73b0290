import type { Chain } from '../../chain/chain.ts';
import type { Clusters } from '../../chain/clusters.ts';
import { isServiceError } from '../../errors/service-error.ts';
import { createLocalOperations, type LocalOperations } from '../../kit/local-operations.ts';
import { openTrustedLedgers } from '../../kit/trusted-ledgers.ts';
import { type Layout, LAYOUT_PROBE, layoutOfAnswer } from '../../programs/ephemeral-token/layout.ts';
import { type Address, isAddress } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { withAdvice } from './advice.ts';
import { callNode, requireNetwork } from './node-rpc.ts';
import { readTarget, type Target } from './target.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';

/** The nodes that a verb reads directly, without a service. */
export interface Ledgers {
  readonly target: Target;
  readonly clusters: Clusters;
  readonly chain: Chain;
  readonly local: LocalOperations;
}

/**
 * Runs `work` with the ledgers that the flags name, and closes the connections afterwards.
 *
 * @param isOffline whether to skip the checks that read a node.
 * @throws {VerbFailure} if the ledger belongs to a network other than the named one.
 */
export async function withLedgers(
  call: VerbCall,
  work: (ledgers: Ledgers) => Promise<VerbExit>,
  isOffline: boolean = false,
): Promise<VerbExit> {
  const target = readTarget(call, isOffline);
  if (!isOffline) await requireNetwork(target);
  const settled = isOffline ? defaultLayout(target) : await settleLayout(call, target);
  const { layout } = settled;
  const { service, base, rollup, cluster } = target;
  const opened = openTrustedLedgers({ url: service, base, rollup: rollup ?? undefined, cluster, layout });
  try {
    const { clusters } = opened;
    // No verb requests a gasless payment.
    const local = createLocalOperations(clusters, null, recipientsOf(call));
    return await work({ target, clusters, chain: clusters.resolve(undefined), local });
  } catch (error) {
    throw withAdvice(error, { settled, target });
  } finally {
    opened.close();
  }
}

/**
 * Returns the wallet passed as `--to`, if any.
 *
 * @throws {VerbFailure} `config` if it is not an address.
 */
function recipientsOf(call: VerbCall): readonly Address[] {
  const named = call.valueOf('to');
  if (named === undefined) return [];
  if (isAddress(named)) return [named];
  throw unusable(`--to needs a base58 Solana address, not '${named}'`);
}

/** A placeholder that the node replaces with a current blockhash. */
const NO_BLOCKHASH = new Uint8Array(32);

/**
 * Detects the layout of the programs on a base ledger from the error of a simulated instruction. The node's
 * identity is the payer, because a localnet has funded it.
 *
 * @returns null if the layout is unknown: other programs, no simulation, or an identity without lamports.
 */
async function askLayout({ cluster, base: url }: Target): Promise<Layout | null> {
  const node = { name: `the base ledger of ${cluster}`, url };
  try {
    const { identity } = ((await callNode(node, 'getIdentity')) ?? {}) as { readonly identity?: unknown };
    if (typeof identity !== 'string' || !isAddress(identity)) return null;
    const message = compileLegacyMessage({
      feePayer: identity,
      blockhash: NO_BLOCKHASH,
      instructions: [LAYOUT_PROBE],
    });
    const text = Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
    const config = { encoding: 'base64', replaceRecentBlockhash: true };
    const answer = await callNode(node, 'simulateTransaction', [text, config]);
    return layoutOfAnswer((answer as { readonly value?: { readonly err?: unknown } } | null)?.value?.err);
  } catch (error) {
    // The verb reports the failure itself if it needs the node.
    if (isServiceError(error)) return null;
    throw error;
  }
}

/** The layout of the programs that a verb uses. */
export interface SettledLayout {
  readonly layout: Layout;
  /** Whether the ledger, or its port file, has confirmed the layout. */
  readonly isSure: boolean;
}

/** The default layouts. */
const LAYOUT_OF_LOCALNET = 'a';
const LAYOUT_OF_NETWORKS = 'b';

/** Returns the named or the detected layout. Warns if `--layout` differs from the ledger's layout. */
export async function settleLayout(call: VerbCall, target: Target): Promise<SettledLayout> {
  const { cluster, layout: named } = target;
  const unasked = defaultLayout(target);
  if (cluster !== 'localnet' || unasked.isSure) return unasked;
  const found = await askLayout(target);
  if (named === null) return { layout: found ?? unasked.layout, isSure: found !== null };
  if (found !== null && found !== named.name) {
    call.terminal.log(
      `The ledger runs programs of layout ${found}, but --layout is ${named.name}: remove it.\n`,
    );
  }
  return { layout: named.name, isSure: found !== null };
}

/** Returns the named layout or the default one, without a request to a ledger. */
function defaultLayout({ cluster, layout: named }: Pick<Target, 'cluster' | 'layout'>): SettledLayout {
  const usual = cluster === 'localnet' ? LAYOUT_OF_LOCALNET : LAYOUT_OF_NETWORKS;
  const isSure = cluster === 'localnet' && named !== null && !named.isTyped;
  return { layout: named?.name ?? usual, isSure };
}
