import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.ts';
import type { LocalLedgers } from './local-ledgers.ts';
import type { LocalnetTime } from './localnet-time.ts';

/**
 * Moves the time of both ledgers ahead by `ms`, and does what falls due.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS unless `ms` is a positive whole number.
 */
export async function travel({ base, rollup }: LocalLedgers, time: LocalnetTime, ms: number): Promise<void> {
  if (!Number.isSafeInteger(ms) || ms <= 0) {
    throw new ServiceError('INVALID_ARGUMENTS', 'ms must be a positive whole number', { field: 'ms' });
  }
  const targets = [base, rollup].map((ledger) => ledger.head().slot + Math.floor(ms / ledger.slotMs));
  const [baseSlot = 0, rollupSlot = 0] = targets;
  time.move(ms);
  // A ledger in a folder enters slots once it is on disk that it may.
  await until(() => base.isClockPaused || base.head().slot >= baseSlot);
  await until(() => rollup.head().slot >= rollupSlot);
  time.runDue();
  await rollup.settled();
}

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await turn();
}
