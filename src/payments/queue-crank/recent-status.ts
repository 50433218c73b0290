import type { Chain } from '../../chain/chain.ts';
import { systemClock, type Clock } from '../../ports/clock.ts';
import type { Address } from '../../solana/address.ts';
import { readCrankStatus, type CrankStatus } from './status.ts';

/** How long a status that requires no action is used without a read, ms. */
export const RECENT_MS = 30_000;

/** Queues remembered per chain. The oldest is dropped first. */
const QUEUES_MAX = 256;

interface Reading {
  readonly status: Promise<CrankStatus>;
  readonly at: number;
}

const chains = new WeakMap<Pick<Chain, 'rollup'>, Map<Address, Reading>>();

/**
 * Whether a task pays out a queue, read with {@link readCrankStatus} at most {@link RECENT_MS} ago. Builders
 * ask for every payment, and a rollup that does not answer must not delay each of them. `none` is never
 * cached, as the caller is told to change it.
 */
export function recentCrankStatus(
  chain: Pick<Chain, 'rollup'>,
  queue: Address,
  expected: { readonly mint: Address; readonly validator: Address },
  clock: Clock = systemClock,
): Promise<CrankStatus> {
  const readings = readingsOf(chain);
  const last = readings.get(queue);
  const at = clock.now();
  // After the clock was set back the age is negative and proves nothing.
  if (last !== undefined && at >= last.at && at - last.at <= RECENT_MS) return last.status;
  const reading: Reading = { status: readCrankStatus(chain, queue, expected), at };
  const forget = (): void => {
    if (readings.get(queue) === reading) readings.delete(queue);
  };
  reading.status.then((status) => void (status === 'none' && forget()), forget);
  readings.delete(queue);
  if (readings.size >= QUEUES_MAX) readings.delete(readings.keys().next().value as Address);
  readings.set(queue, reading);
  return reading.status;
}

function readingsOf(chain: Pick<Chain, 'rollup'>): Map<Address, Reading> {
  let readings = chains.get(chain);
  if (readings === undefined) chains.set(chain, (readings = new Map()));
  return readings;
}
