import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Timer } from '../ports/timer.ts';

/** What is injected into the whole stack. TCP ports are `ListenPorts`. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** What is done later; the machine's when left out. */
  readonly timer?: Timer;
}
