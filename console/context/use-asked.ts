import { useEffect, useState } from 'preact/hooks';

/**
 * What a reader was answered; null until it is.
 *
 * Once another asks (`who`), or for something else, the former answer is gone at once, and never drawn again.
 * When something happened (`epoch`), it stays until the new one is there, so that nothing flickers.
 *
 * @param who names the reader and what it is asked for; null asks nothing.
 */
export function useAsked<T>(who: string | null, epoch: number, ask: () => Promise<T>): T | null {
  const [held, hold] = useState<{ readonly who: string; readonly answer: T } | null>(null);
  useEffect(() => {
    hold((former) => (former === null || former.who === who ? former : null));
    if (who === null) return undefined;
    let isWanted = true;
    void ask().then((answer) => {
      if (isWanted) hold({ who, answer });
    });
    return () => {
      isWanted = false;
    };
  }, [who, epoch]);
  return held !== null && held.who === who ? held.answer : null;
}
