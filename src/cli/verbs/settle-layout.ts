import { isServiceError } from '../../errors/service-error.ts';
import { type Layout, LAYOUT_PROBE, layoutOfAnswer } from '../../programs/ephemeral-token/layout.ts';
import { isAddress } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { callNode } from './node-rpc.ts';
import type { Target } from './target.ts';
import type { VerbCall } from './verb-call.ts';

/** The node puts a hash of its own in place of it. */
const NO_BLOCKHASH = new Uint8Array(32);

/**
 * Asks a base ledger which version of the programs it runs, by how it refuses a simulated instruction. The
 * identity of the node pays in the simulation: a localnet has given it lamports.
 *
 * @returns null where it cannot tell: it has neither version, does not simulate, or its identity has nothing.
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
    // Whatever it refuses or does not know, the verb itself needs of it what it says of its own.
    if (isServiceError(error)) return null;
    throw error;
  }
}

/** The version of the programs that a verb works with. */
export interface SettledLayout {
  readonly layout: Layout;
  /** Whether the ledger, or the program that runs it, has said what it is. */
  readonly isSure: boolean;
}

/** What is taken where neither the user nor the ledger says anything. */
const LAYOUT_OF_LOCALNET = 'a';
const LAYOUT_OF_NETWORKS = 'b';

/**
 * The version that was named, else the one that a localnet runs. Says so where a flag names another one than
 * runs there.
 */
export async function settleLayout(call: VerbCall, target: Target): Promise<SettledLayout> {
  const { cluster, layout: named } = target;
  const unasked = unaskedLayout(target);
  if (cluster !== 'localnet' || unasked.isSure) return unasked;
  const found = await askLayout(target);
  if (named === null) return { layout: found ?? unasked.layout, isSure: found !== null };
  if (found !== null && found !== named.name) {
    call.terminal.tell(
      `The ledger runs programs of layout ${found}, and --layout says ${named.name}: leave it out.\n`,
    );
  }
  return { layout: named.name, isSure: found !== null };
}

/** The version that was named, else the usual one: no ledger is asked. */
export function unaskedLayout({ cluster, layout: named }: Pick<Target, 'cluster' | 'layout'>): SettledLayout {
  const usual = cluster === 'localnet' ? LAYOUT_OF_LOCALNET : LAYOUT_OF_NETWORKS;
  const isSure = cluster === 'localnet' && named !== null && !named.isTyped;
  return { layout: named?.name ?? usual, isSure };
}
