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

/** The parent of the serving process, as that process sees it. */
export interface Host {
  readonly start: Start;
  /** Signal that aborts when the process must shut down. */
  readonly stopping: AbortSignal;
  /**
   * Reports that this process serves on these ports. Call it in the turn in which serving starts: if the
   * process crashed after its first response but before this call, the restart would count as a first start.
   */
  reportReady(ports: ListenPorts): void;
  /**
   * Starts a heartbeat every second. From then on the process must never block its event loop: if it is
   * silent for too long, it is killed and restarted.
   */
  beat(): void;
}

/**
 * Creates a host without a supervisor. It shuts down on a signal or when npm is gone, and ends immediately on
 * a second signal.
 *
 * @param defaults the parts of {@link Start} that the parent would send.
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
 * Connects this process to the supervisor that started it. The process shuts down when the supervisor
 * requests it or is gone, or on a signal. Further signals have no effect: Ctrl+C reaches both processes, and
 * the supervisor counts them. If several processes share their ports, they ignore signals, because the
 * supervisor closes the ports first. Resolves once the start message has arrived.
 */
export async function joinSupervisor(clock: Clock = systemClock): Promise<Host> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const onSignal = cluster.isWorker ? (): void => undefined : stop;
  onStopSignals({ first: onSignal, again: onSignal }, clock);
  process.once('disconnect', stop);
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'stop') stop();
  });
  return {
    start: await receiveStart(),
    stopping: stopping.signal,
    reportReady: (ports) => send({ kind: 'ready', ports }),
    beat() {
      if (stopping.signal.aborted) return;
      send({ kind: 'beat' });
      const beating = setInterval(() => send({ kind: 'beat' }), BEAT_MS);
      stopping.signal.addEventListener('abort', () => {
        clearInterval(beating);
        send({ kind: 'stopping' });
      });
    },
  };
}

/** Drops the message if the supervisor is dead. */
function send(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

async function receiveStart(): Promise<Start> {
  const received = once(process, 'message');
  send({ kind: 'joined' });
  const [message] = (await received) as [ParentMessage];
  if (message.kind !== 'start')
    throw new Error(`the first message of the supervisor is '${message.kind}' instead of 'start'`);
  return message.start;
}
