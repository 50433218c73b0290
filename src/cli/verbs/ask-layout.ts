import { isServiceError } from '../../errors/service-error.ts';
import { LAYOUT_PROBE, layoutOfAnswer } from '../../programs/ephemeral-token/layout-probe.ts';
import type { Layout } from '../../programs/ephemeral-token/layout.ts';
import { isAddress } from '../../solana/address.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { callNode } from './node-rpc.ts';
import type { Target } from './target.ts';

/** The node puts a hash of its own in place of it. */
const NO_BLOCKHASH = new Uint8Array(32);

/**
 * Asks a base ledger which version of the programs it runs, by how it refuses a simulated instruction. The
 * identity of the node pays in the simulation: a localnet has given it lamports.
 *
 * @returns null where it cannot tell: it has neither version, does not simulate, or its identity has nothing.
 */
export async function askLayout({ cluster, base: url }: Target): Promise<Layout | null> {
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
