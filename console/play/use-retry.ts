import { useEffect } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { POLL_MS } from '../readers/feed.ts';
import type { Happenings } from './happenings.ts';
import { isUnread, type Portrait } from './portrait.ts';

/** Reloads after a delay while a shown value could not be read. */
export function useRetry(
  portraits: ReadonlyMap<string, Portrait> | null,
  happenings: Happenings | null,
): void {
  const console = useConsole();
  const isShort =
    (happenings !== null && happenings.fault !== null) || [...(portraits?.values() ?? [])].some(isUnread);
  useEffect(() => {
    if (!isShort) return undefined;
    let isWanted = true;
    void console.wait(POLL_MS).then(() => {
      if (isWanted) console.happened();
    });
    return () => {
      isWanted = false;
    };
  }, [isShort, portraits, happenings]);
}
