import type { Logger } from '../ports/logger.ts';
import type { CallClient } from './call-client.ts';
import type { JoinMessage, PrimaryCalls, WorkerCalls } from './worker-protocol.ts';
import { WORKER_VARIABLE } from './worker-life.ts';
import { CallChannel, type ChannelMessage } from './call-channel.ts';

/** Shutdown signals, some of which a terminal sends to all processes. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Makes this process a worker of the pool that started it: it answers the calls of the primary and may call
 * it. Signals are ignored, because Ctrl+C reaches all processes and the primary handles it; when the primary
 * is gone, `node:cluster` ends this process at once.
 */
export function joinPool(
  createCalls: (primary: CallClient<PrimaryCalls>) => WorkerCalls,
  logger: Logger,
): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => {});
  const send = (message: ChannelMessage | JoinMessage): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const channel = new CallChannel<PrimaryCalls, WorkerCalls>(send);
  channel.offer(createCalls(channel.client), logger);
  process.on('message', (message: ChannelMessage) => channel.take(message));
  send({ kind: 'joined' });
}

/** The number of this process among the workers, from 1. */
export function workerNumber(): number {
  return Number(process.env[WORKER_VARIABLE]);
}
