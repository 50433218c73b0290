import type { Chain } from '../../chain/chain.ts';
import { systemClock, type Clock } from '../../ports/clock.ts';
import type { Address } from '../../solana/address.ts';
import { readCrankStatus, type CrankStatus } from './status.ts';

/** For how long a status that nothing is to be done about is given out without a reading, ms. */
export const RECENT_MS = 30_000;

/** Queues remembered for each chain; the oldest goes first. */
const QUEUES_MAX = 256;

interface Reading {
  readonly status: Promise<CrankStatus>;
  readonly at: number;
}

const chains = new WeakMap<Pick<Chain, 'rollup'>, Map<Address, Reading>>();

/**
 * Whether a task pays out a queue, as {@link readCrankStatus} has read it within {@link RECENT_MS}. Builders ask with
 * every payment, and a rollup that does not answer must not hold up each of them. That there is none is read anew
 * every time: the caller is told to change it.
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
  // A clock that was set back makes the age negative, which says nothing.
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
