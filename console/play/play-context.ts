import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Play } from './flow.ts';

export const PlayContext = createContext<Play | null>(null);

/** What this tab does with its wallets; it outlives the view. */
export function usePlay(): Play {
  const play = useContext(PlayContext);
  if (play === null) throw new Error('outside of the console');
  return play;
}
