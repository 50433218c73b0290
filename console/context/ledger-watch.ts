import type { Feeds } from '../readers/feed.ts';
import type { ConsoleState } from './console-state.ts';

/**
 * Identifies one history of a ledger: its genesis hash, and how often it returned to a snapshot.
 */
export const pastOf = ({ base, returned }: Pick<ConsoleState, 'base' | 'returned'>): string =>
  `${base.genesisHash} ${returned}`;

/**
 * Notices that base has another past than it had: one that was reset keeps its socket and is silent about it, but its
 * slots begin anew. Whether it is another the service says, which is asked only then, and after each loss of the
 * feed.
 *
 * @param past of the ledger that the page is about.
 * @param ask asks for it as it is now; null if there is no answer.
 * @param onAnother is called once for each other past.
 * @returns a function that ends the watch.
 */
export function watchBase(
  feeds: Pick<Feeds, 'of'>,
  past: string,
  ask: () => Promise<string | null>,
  onAnother: () => void,
): () => void {
  let known = past;
  let newest = 0;
  let isInDoubt = false;
  let isOver = false;
  const look = async (): Promise<void> => {
    const now = await ask();
    // What does not answer is asked again with the next slot.
    if (isOver || now === null) return;
    isInDoubt = false;
    if (now === known) return;
    known = now;
    onAnother();
  };
  const end = feeds.of('base', null).subscribe('slotSubscribe', [], (event) => {
    const slot = slotIn(event);
    isInDoubt ||= slot === null || slot < newest;
    newest = slot ?? newest;
    if (isInDoubt) void look();
  });
  return () => {
    isOver = true;
    end();
  };
}

/** The slot of a notification; null for anything else. */
function slotIn(event: unknown): number | null {
  const { slot } = Object(event) as { readonly slot?: unknown };
  return typeof slot === 'number' ? slot : null;
}
