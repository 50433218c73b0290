import { signal } from '../parts/signal.ts';
import type { Play } from './flow.ts';

const shown = signal<Play | null>(null);

/** Has the views show another, as where the ledger began anew. */
export function setPlay(play: Play): void {
  shown.value = play;
}

/** What this tab does with its wallets; it outlives the view. */
export function usePlay(): Play {
  const play = shown.value;
  if (play === null) throw new Error('outside of the console');
  return play;
}
