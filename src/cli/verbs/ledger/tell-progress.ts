import { systemClock, type Clock } from '../../../ports/clock.ts';
import type { TellProgress } from '../../../stack/kept/progress.ts';
import type { Terminal } from '../terminal.ts';

/** How often whoever watches is told, ms. */
const EVERY_MS = 1_000;

/** Says how far it is, once a second at most, to whoever watches. */
export function tellingProgress(
  terminal: Pick<Terminal, 'isWatched' | 'tell'>,
  clock: Clock = systemClock,
): TellProgress {
  let lastMs = clock.now();
  return (what, done) => {
    const nowMs = clock.now();
    if (!terminal.isWatched || nowMs - lastMs < EVERY_MS) return;
    lastMs = nowMs;
    terminal.tell(`${what} ${done}\n`);
  };
}
