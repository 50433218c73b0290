import type { Feeds } from '../readers/feed.ts';
import type { ConsoleState } from './console-state.ts';

/** Identifies a history of the base ledger by its genesis hash and the number of snapshot restores. */
export const pastOf = ({ base, returned }: Pick<ConsoleState, 'base' | 'returned'>): string =>
  `${base.genesisHash} ${returned}`;

/**
 * Detects a reset or snapshot restore of the base ledger. Neither closes the socket, but slot numbers go
 * back. When they do, and after each interruption of the feed, the watch asks the service for the current
 * history.
 *
 * @param past the history that the page shows.
 * @param ask returns the current history; null if there is no answer.
 * @param onAnother called once for each new history.
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
    // Without an answer, the watch asks again at the next slot.
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
