import type { Layout } from '../../programs/ephemeral-token/layout.ts';
import { askLayout } from './ask-layout.ts';
import type { Target } from './target.ts';
import type { VerbCall } from './verb-call.ts';

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
