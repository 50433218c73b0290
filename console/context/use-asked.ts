import { useEffect, useState } from 'preact/hooks';
import { LatestAnswer } from './latest-answer.ts';

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
  const [latest] = useState(() => new LatestAnswer());
  useEffect(() => {
    hold((former) => (former === null || former.who === who ? former : null));
    const counts = latest.begin(who);
    if (who === null) return;
    void ask().then((answer) => {
      if (counts()) hold({ who, answer });
    });
  }, [who, epoch]);
  useEffect(() => () => void latest.begin(null), []);
  return held !== null && held.who === who ? held.answer : null;
}
