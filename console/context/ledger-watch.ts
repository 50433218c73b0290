import type { Feeds } from '../readers/feeds.ts';
import type { Readers } from '../readers/readers.ts';

/** Whom the watch asks. */
interface WatchedBase {
  readonly feeds: Pick<Feeds, 'of'>;
  readonly readers: Pick<Readers, 'acting'>;
}

/**
 * Notices that base is another ledger than it was: one that was reset keeps its socket and is silent about it,
 * but its slots begin anew. Whether it is another its genesis hash decides, which is asked for only then, and
 * after each loss of the feed.
 *
 * @param genesisHash of the ledger that the page is about, base58.
 * @param onAnother is called once for each other ledger.
 * @returns what ends the watch.
 */
export function watchBase(
  { feeds, readers }: WatchedBase,
  genesisHash: string,
  onAnother: () => void,
): () => void {
  let known = genesisHash;
  let newest = 0;
  let isInDoubt = false;
  let isOver = false;
  const look = async (): Promise<void> => {
    const answer = await readers.acting.fresh<unknown>('getGenesisHash');
    // What does not answer is asked again with the next slot.
    if (isOver || answer.kind === 'failed' || typeof answer.value !== 'string') return;
    isInDoubt = false;
    if (answer.value === known) return;
    known = answer.value;
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
