import type { Timer } from '../../ports/timer.ts';
import type { Health } from '../answers.ts';

/** How often the ledgers are asked while anybody listens, ms. */
const LOOK_MS = 2_000;

/** What is watched, and for whom. */
interface HealthWatch {
  readonly read: () => Promise<Health>;
  /** Whether anybody listens. */
  readonly isWanted: () => boolean;
  readonly timer: Timer;
  /** Called when it is not as it was when it was looked at last. */
  readonly tell: (health: Health) => void;
}

/** Watches whether requests may come, until the function that is answered is called. */
export function watchHealth({ read, isWanted, timer, tell }: HealthWatch): () => void {
  let last: string | undefined;
  let callOff: () => void;
  const look = async (): Promise<void> => {
    const health = await read();
    const text = JSON.stringify(health);
    if (last !== undefined && text !== last) tell(health);
    last = text;
  };
  const again = (): void => {
    callOff = timer.after(LOOK_MS, () => {
      again();
      if (!isWanted()) last = undefined;
      // Whoever asks for the state hears of the fault.
      else look().catch(() => {});
    });
  };
  again();
  return () => callOff();
}
