import { useEffect, useState } from 'preact/hooks';

/** Decides which answers to use when they arrive out of order. */
export class LatestAnswer {
  #who: string | null = null;
  #lastAsked = 0;
  #lastTaken = 0;

  /**
   * Starts a request. Returns a function that reports whether to use the answer: true if `who` is still the
   * same and no newer answer has arrived. A newer pending request is no reason to drop it: on a busy ledger,
   * every answer arrives after the next request.
   *
   * @param who identifies the reader and the query; null cancels.
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
 * Returns the latest answer; null until one has arrived.
 *
 * A change of `who` drops the previous answer at once. A change of `epoch` keeps it until the new one
 * arrives, to avoid flicker.
 *
 * @param who identifies the reader and the query; null requests nothing.
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
