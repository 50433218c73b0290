import { once } from 'node:events';
import { systemClock, type Clock } from '../ports/clock.ts';
import { BEAT_MS } from './beat-watch.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { ChildMessage, StartDefaults, ParentMessage, ListenPorts, Start } from './messages.ts';
import { watchParent } from './parent-watch.ts';
import { onStopSignals } from './stop-signals.ts';

/** What a process that serves has to do with whoever started it. */
export interface Host {
  readonly start: Start;
  /** Aborted when it is time to end in order. */
  readonly stopping: AbortSignal;
  /**
   * Says that it serves, and where. To be called in the same turn in which serving begins: once a request may have been
   * answered, another start must know that there was one before.
   */
  reportReady(ports: ListenPorts): void;
  /**
   * Says from now on, every second until it ends, that it is alive. Once it has, it is killed and started again when it
   * is silent for too long: it must not wait in its event loop for anybody.
   */
  beat(): void;
}

/**
 * A process that answers to signals, of which a second one ends it at once, and to npm's end.
 *
 * @param defaults the parts of {@link Start} that the parent would send
 */
export function standAlone(defaults: StartDefaults, clock: Clock = systemClock): Host {
  const stopping = new AbortController();
  const handlers = { first: () => stopping.abort(), again: () => process.exit(EXIT_CODES.interrupted) };
  onStopSignals(handlers, clock);
  watchParent(handlers);
  return {
    start: { restarts: 0, death: null, ports: null, ...defaults },
    stopping: stopping.signal,
    reportReady: () => {},
    beat: () => {},
  };
}

/**
 * Makes this process, which `supervise` started, the one that serves. It ends in order when the supervisor says so, when
 * the supervisor is gone, and on signals, of which it takes any number for one: Ctrl+C sends them to both processes, and
 * the supervisor is the one who counts them. Resolves once it is told how to start.
 */
export async function joinSupervisor(clock: Clock = systemClock): Promise<Host> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  onStopSignals({ first: stop, again: stop }, clock);
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

/** What the supervisor does not live to hear is dropped. */
function tell(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

async function hearStart(): Promise<Start> {
  const [message] = (await once(process, 'message')) as [ParentMessage];
  if (message.kind !== 'start') throw new Error(`the supervisor began with '${message.kind}'`);
  return message.start;
}
