import cluster from 'node:cluster';
import { once } from 'node:events';
import { type Clock, systemClock } from '../ports/clock.ts';
import { EXIT_CODES } from './exit-codes.ts';
import {
  BEAT_MS,
  type ChildMessage,
  type ListenPorts,
  type ParentMessage,
  type Start,
  type StartDefaults,
} from './life.ts';
import { onStopSignals, watchParent } from './stop-signals.ts';

/** What the serving process needs from whoever started it. */
export interface Host {
  readonly start: Start;
  /** Aborted when the process is to shut down. */
  readonly stopping: AbortSignal;
  /**
   * Reports that it serves, and where. Call it in the turn in which serving starts. Crash case: a request was
   * answered and the process died unreported; the supervisor would treat the restart as a first start.
   */
  reportReady(ports: ListenPorts): void;
  /**
   * Starts a heartbeat every second. From then on the process is killed and restarted when it is silent for
   * too long, so it must never block its event loop.
   */
  beat(): void;
}

/**
 * A host without a supervisor: shuts down on a signal, ends at once on a second one, and ends when npm is
 * gone.
 *
 * @param defaults the parts of {@link Start} that the parent would send
 */
export function standAlone(defaults: StartDefaults, clock: Clock = systemClock): Host {
  const stopping = new AbortController();
  const handlers = { first: () => stopping.abort(), again: () => process.exit(EXIT_CODES.interrupted) };
  onStopSignals(handlers, clock);
  watchParent(handlers);
  return {
    start: { restarts: 0, worker: null, hasServed: false, death: null, ports: null, ...defaults },
    stopping: stopping.signal,
    reportReady: () => {},
    beat: () => {},
  };
}

/**
 * Makes this process, which `supervise` started, the serving one. It shuts down when the supervisor asks,
 * when the supervisor is gone, and on signals, however many: Ctrl+C reaches both processes, and the
 * supervisor counts them. One of several that share their ports heeds no signal: the supervisor closes the
 * ports first. Resolves once the start message has arrived.
 */
export async function joinSupervisor(clock: Clock = systemClock): Promise<Host> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const heed = cluster.isWorker ? (): void => undefined : stop;
  onStopSignals({ first: heed, again: heed }, clock);
  process.once('disconnect', stop);
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'stop') stop();
  });
  return {
    start: await hearStart(),
    stopping: stopping.signal,
    reportReady: (ports) => tell({ kind: 'ready', ports }),
    beat() {
      if (stopping.signal.aborted) return;
      tell({ kind: 'beat' });
      const beating = setInterval(() => tell({ kind: 'beat' }), BEAT_MS);
      stopping.signal.addEventListener('abort', () => {
        clearInterval(beating);
        tell({ kind: 'stopping' });
      });
    },
  };
}

/** A message to a dead supervisor is dropped. */
function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

async function hearStart(): Promise<Start> {
  const heard = once(process, 'message');
  tell({ kind: 'joined' });
  const [message] = (await heard) as [ParentMessage];
  if (message.kind !== 'start') throw new Error(`the supervisor began with '${message.kind}'`);
  return message.start;
}
