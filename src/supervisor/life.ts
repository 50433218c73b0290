import { fork, type ChildProcess } from 'node:child_process';
import type { Clock } from '../ports/clock.ts';
import type { Timer } from '../ports/timer.ts';
import { BeatWatch } from './beat-watch.ts';
import type { Death } from './death.ts';
import { MEMORY_ENVIRONMENT, MEMORY_FLAGS } from './memory-flags.ts';
import type { ChildMessage, ParentMessage, ListenPorts, Start } from './messages.ts';

/** What a life is measured with. */
interface LifePorts {
  readonly clock: Clock;
  readonly timer: Timer;
}

/** One run of the child, from its start to its death. It is killed when it beats and then falls silent. */
export class Life {
  /** Resolves once it is dead and everything it said is heard. */
  readonly death: Promise<Death>;
  readonly #child: ChildProcess;
  readonly #watch: BeatWatch;
  #ready: { readonly ports: ListenPorts; readonly atMs: number } | null = null;
  #silentMs: number | undefined;

  /**
   * Starts the module at the path `entry`. It shares stdin, stdout, stderr and the environment, in which what the operator
   * set goes before what is set for it.
   */
  constructor(entry: string, args: readonly string[], start: Start, { clock, timer }: LifePorts) {
    const child = fork(entry, args, {
      stdio: 'inherit',
      execArgv: [...MEMORY_FLAGS, ...process.execArgv],
      env: { ...MEMORY_ENVIRONMENT, ...process.env },
    });
    this.#child = child;
    this.#watch = new BeatWatch({
      clock,
      timer,
      onSilent: (silentMs) => {
        this.#silentMs = silentMs;
        this.kill();
      },
    });
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'ready') this.#ready = { ports: message.ports, atMs: clock.now() };
      else if (message.kind === 'beat') this.#watch.hear();
      else this.#watch.end();
    });
    this.death = new Promise((resolve) => {
      const die = (end: Omit<Death, 'readyForMs' | 'silentMs'>): void => {
        this.#watch.end();
        resolve({
          ...end,
          ...(this.#silentMs !== undefined && { silentMs: this.#silentMs }),
          readyForMs: this.#ready === null ? null : clock.now() - this.#ready.atMs,
        });
      };
      // Not 'exit': what came over the channel last is read after it.
      child.once('close', (exitCode, signal) => die({ exitCode, signal }));
      child.on('error', (error: NodeJS.ErrnoException) => {
        // Of a process that never ran, nothing else is heard.
        if (child.pid === undefined) die({ exitCode: null, signal: null, startFault: error.code ?? 'fault' });
      });
    });
    this.#send({ kind: 'start', start });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Where it listens; null before it is ready. */
  get ports(): ListenPorts | null {
    return this.#ready?.ports ?? null;
  }

  /** Asks for an orderly end. Not by a signal: Ctrl+C reaches both processes, and two would mean an end at once. */
  stop(): void {
    // How long that may take is not for the watch to say.
    this.#watch.end();
    this.#send({ kind: 'stop' });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ParentMessage): void {
    // A child that is already dead is heard of by its end.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}
