import { deserialize, serialize } from 'node:v8';
import type { Logger } from '../../ports/logger.ts';
import type { PrimaryCalls, WorkerCalls } from '../worker-protocol.ts';
import { CallChannel, type ChannelMessage } from '../call-channel.ts';

/** The two ends of a channel, with what Node does to messages between processes. */
interface SerialisedChannels {
  readonly worker: CallChannel<PrimaryCalls, WorkerCalls>;
  readonly primary: CallChannel<WorkerCalls, PrimaryCalls>;
  /** What the worker sent so far. */
  readonly sent: ChannelMessage[];
}

/**
 * A worker connected to a primary that offers these calls. Messages arrive in a later turn of the event loop.
 */
export function connectChannels(offered: Partial<PrimaryCalls>, logger: Logger): SerialisedChannels {
  const sent: ChannelMessage[] = [];
  const worker: SerialisedChannels['worker'] = new CallChannel((message) => {
    sent.push(message);
    deliver(message, primary);
  });
  const primary: SerialisedChannels['primary'] = new CallChannel((message) => deliver(message, worker));
  primary.offer(offered, logger);
  return { worker, primary, sent };
}

function deliver(message: ChannelMessage, to: { take(message: ChannelMessage): void }): void {
  const bytes = serialize(message);
  setImmediate(() => to.take(deserialize(bytes) as ChannelMessage));
}
