import { setTimeout as sleep } from 'node:timers/promises';
import type { Waiting } from '../payments/send-transaction/confirmation.ts';
import { systemClock } from '../ports/clock.ts';

/**
 * How callers wait for a transaction: in real time, whatever the clock of the stack shows. One that is moved
 * by hand would never let them go.
 */
export const REAL_WAITING: Waiting = { clock: systemClock, sleep };
