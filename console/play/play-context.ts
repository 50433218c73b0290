import { signal } from '../parts/signal.ts';
import type { Play } from './flow.ts';

const shown = signal<Play | null>(null);

/** Replaces the shown instance, for example after a reset of the ledger. */
export function setPlay(play: Play): void {
  shown.value = play;
}

/** The actions of this tab with its wallets. */
export function usePlay(): Play {
  const play = shown.value;
  if (play === null) throw new Error('outside of the console');
  return play;
}
