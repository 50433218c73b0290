import type { Logger } from '../ports/logger.ts';
import type { CallClient } from './call-client.ts';
import type { JoinMessage, PrimaryCalls, WorkerCalls } from './duties.ts';
import { WORKER_VARIABLE } from './worker-life.ts';
import { Line, type LineMessage } from './line.ts';

/** Signals that ask for an orderly end, of which a terminal sends some to all processes. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Makes this process a worker of the pool that started it: it does what the primary calls for and answers whom to call in
 * turn. Ctrl+C sends its signal to all processes, and the primary is the one who heeds it; when the primary is gone,
 * `node:cluster` ends this process at once.
 */
export function joinPool(
  createDuties: (primary: CallClient<PrimaryCalls>) => WorkerCalls,
  logger: Logger,
): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => {});
  const send = (message: LineMessage | JoinMessage): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const line = new Line<PrimaryCalls, WorkerCalls>(send);
  line.offer(createDuties(line.client), logger);
  process.on('message', (message: LineMessage) => line.take(message));
  send({ kind: 'joined' });
}

/** The number of this process among the workers, from 1. */
export function workerNumber(): number {
  return Number(process.env[WORKER_VARIABLE]);
}
