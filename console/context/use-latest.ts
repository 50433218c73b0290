import { useEffect, useState } from 'preact/hooks';

/** Which answers count of those that come in whatever order. */
export class LatestAnswer {
  #who: string | null = null;
  #lastAsked = 0;
  #lastTaken = 0;

  /**
   * Asks someone, or for something, once more; null asks no one. What is returned says of the answer, when it
   * has come, whether it counts: it is of those who are asked now, and no later one has come before. That
   * others were asked for since is no reason against it: where something happens all the time, each answer
   * comes after the next question.
   */
  begin(who: string | null): () => boolean {
    const turn = ++this.#lastAsked;
    if (this.#who !== who) this.#lastTaken = turn;
    this.#who = who;
    return () => {
      if (this.#who !== who || turn < this.#lastTaken) return false;
      this.#lastTaken = turn;
      return true;
    };
  }
}

/**
 * What a reader was answered; null until it is.
 *
 * Once another asks (`who`), or for something else, the former answer is gone at once, and never drawn again.
 * When something happened (`epoch`), it stays until the new one is there, so that nothing flickers.
 *
 * @param who names the reader and what it is asked for; null asks nothing.
 */
export function useLatest<T>(who: string | null, epoch: number, ask: () => Promise<T>): T | null {
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
