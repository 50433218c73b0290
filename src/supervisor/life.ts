import { fork, type ChildProcess } from 'node:child_process';
import type { Clock } from '../ports/clock.ts';
import type { Timer } from '../ports/timer.ts';
import { BeatWatch } from './beat-watch.ts';
import type { Death } from './death.ts';
import { MEMORY_ENVIRONMENT, MEMORY_FLAGS } from './memory-flags.ts';
import type { ChildMessage, ParentMessage, ListenPorts, Start } from './messages.ts';

/** The clock and timer of a run. */
interface LifePorts {
  readonly clock: Clock;
  readonly timer: Timer;
}

/** One run of the child process, from start to exit. A child that stops sending heartbeats is killed. */
export class Life {
  /** Resolves once it has exited and all its messages are read. */
  readonly death: Promise<Death>;
  readonly #child: ChildProcess;
  readonly #watch: BeatWatch;
  #ready: { readonly ports: ListenPorts; readonly atMs: number } | null = null;
  #silentMs: number | undefined;

  /**
   * Starts the module at the path `entry`. It shares stdin, stdout, stderr and the environment; variables set
   * by the operator win over those set here.
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
      // Not 'exit': the last messages of the channel are read after it.
      child.once('close', (exitCode, signal) => die({ exitCode, signal }));
      child.on('error', (error: NodeJS.ErrnoException) => {
        // A process that failed to start emits nothing else.
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

  /**
   * Asks for a shutdown by message. A signal would be counted twice: Ctrl+C reaches both processes, and two
   * signals mean an end at once.
   */
  stop(): void {
    // The heartbeat watch does not limit the shutdown.
    this.#watch.end();
    this.#send({ kind: 'stop' });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ParentMessage): void {
    // The exit of a dead child is reported separately.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}
