import type { Landed } from './feed.ts';

/** Signatures that are remembered, so that none is shown twice. */
const REMEMBERED_MAX = 10_000;

/** Shows transactions, each once. */
interface OnceShown {
  show(landed: Landed): void;
  /** Resolves when as many as are wanted have been shown. */
  readonly reached: Promise<void>;
  /** Shows nothing any more. */
  end(): void;
}

/**
 * Shows each transaction of a ledger once, where its past and what is heard of it overlap.
 *
 * @param countMax how many are shown; Infinity for all, of which the last 10,000 are remembered.
 */
export function showOnce(countMax: number, print: (landed: Landed) => void): OnceShown {
  const shown = new Set<string>();
  let left = countMax;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return {
    show(landed) {
      const key = `${landed.sendTo} ${landed.signature}`;
      if (left === 0 || shown.has(key)) return;
      shown.add(key);
      if (countMax === Infinity && shown.size > REMEMBERED_MAX) forgetOldest(shown);
      left -= 1;
      print(landed);
      if (left === 0) reach();
    },
    reached,
    end: () => void (left = 0),
  };
}

function forgetOldest(shown: Set<string>): void {
  for (const oldest of shown) {
    shown.delete(oldest);
    return;
  }
}
