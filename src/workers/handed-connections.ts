import type { Worker } from 'node:cluster';

/**
 * What `node:cluster` and a worker say of a connection: `newconn` with the connection and a number, and an
 * answer to that number, whether it was accepted (Node 20 to 26, `lib/internal/cluster`).
 */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: number;
  readonly ack?: number;
}

const CLUSTER = 'NODE_CLUSTER';

/**
 * Answers for a worker that died with a connection it was given and had not taken. `node:cluster` waits for
 * that answer for ever: the connection stays open and nobody reads it. It is told what a worker says that is
 * shutting down, so that another one is given the connection.
 *
 * Own code, as Node offers nothing to see or end what it waits for.
 *
 * @param worker one that has been sent nothing yet.
 * @param hasOthers whether another worker listens; the connection is closed where none does.
 */
export function answerForTheDead(
  worker: Pick<Worker, 'process' | 'disconnect'>,
  hasOthers: () => boolean,
): void {
  const { process: child } = worker;
  const given = new Set<number>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const { cmd, act, seq } = args[0] as ClusterMessage;
    if (cmd === CLUSTER && act === 'newconn' && seq !== undefined) given.add(seq);
    return send(...args);
  };
  child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === CLUSTER && ack !== undefined) given.delete(ack);
  });
  // Its last answers have been read then.
  child.once('close', () => {
    // While it has not taken a connection, its end is not always noticed: it would be given more of them.
    if (given.size > 0) worker.disconnect();
    for (const ack of given) child.emit('internalMessage', { cmd: CLUSTER, ack, accepted: !hasOthers() });
  });
}
