import { deserialize, serialize } from 'node:v8';
import type { Logger } from '../../ports/logger.ts';
import type { PrimaryCalls, WorkerCalls } from '../duties.ts';
import { Line, type LineMessage } from '../line.ts';

/** The two ends of a line, with what Node does to messages between processes. */
export interface SerialisedLines {
  readonly worker: Line<PrimaryCalls, WorkerCalls>;
  readonly primary: Line<WorkerCalls, PrimaryCalls>;
  /** What the worker sent so far. */
  readonly sent: LineMessage[];
}

/** A worker on a line to a primary that offers these calls. Messages arrive in a later turn of the event loop. */
export function connectLines(offered: Partial<PrimaryCalls>, logger: Logger): SerialisedLines {
  const sent: LineMessage[] = [];
  const worker: SerialisedLines['worker'] = new Line((message) => {
    sent.push(message);
    deliver(message, primary);
  });
  const primary: SerialisedLines['primary'] = new Line((message) => deliver(message, worker));
  primary.offer(offered, logger);
  return { worker, primary, sent };
}

function deliver(message: LineMessage, to: { take(message: LineMessage): void }): void {
  const bytes = serialize(message);
  setImmediate(() => to.take(deserialize(bytes) as LineMessage));
}
