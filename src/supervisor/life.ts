import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../ports/clock.ts';
import type { Timer } from '../ports/timer.ts';
import type { Death } from './restart-policy.ts';

/** TCP ports in use, by the variable that sets them. A restarted process takes the same ports. */
export type ListenPorts = Readonly<Record<string, number>>;

/** The start message of a process. */
export interface Start {
  /** Number of earlier processes that this process replaces. */
  readonly restarts: number;
  /** The number of this worker process, from 1; null for a single process. */
  readonly worker: number | null;
  /** Whether any process has been ready before. */
  readonly hasServed: boolean;
  /** The end of the previous process, as text; null for the first process. */
  readonly death: string | null;
  /** Ports of the last process that was ready; null if there is none, or if several processes share them. */
  readonly ports: ListenPorts | null;
  /** Variables of the settings file. They are not on the command line, which every user can read. */
  readonly settings: Readonly<Record<string, string>>;
  /** A folder that does not exist yet. Its contents survive a crash and are removed at the end. */
  readonly scratchFolder: string;
}

/** The parts that are the same for every start. */
export type StartDefaults = Pick<Start, 'settings' | 'scratchFolder'>;

/** Messages of the parent: the start, and later a stop. */
export type ParentMessage = { readonly kind: 'start'; readonly start: Start } | { readonly kind: 'stop' };

/**
 * Messages of the child. `joined`: it receives messages (`node:cluster` loses earlier messages). `ready`: it
 * serves on these ports. `beat`: a heartbeat, if it sends any. `stopping`: it shuts down, and sends nothing
 * more.
 */
export type ChildMessage =
  | { readonly kind: 'joined' }
  | { readonly kind: 'ready'; readonly ports: ListenPorts }
  | { readonly kind: 'beat' }
  | { readonly kind: 'stopping' };

/** Interval between heartbeats of the child, in ms. */
export const BEAT_MS = 1_000;

/** Time without a heartbeat after which a child counts as stuck, in ms. No request blocks nearly as long. */
export const SILENCE_MS_MAX = 5_000;

interface BeatWatchOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Reports the silence once, at the end of the watch. */
  onSilent(silentMs: number): void;
}

/**
 * Watches the heartbeat of a process, starting with the first beat. Silence is counted in checks that ran on
 * time. A late check means that this process or the machine was suspended (a laptop that slept), so the
 * count restarts.
 */
export class BeatWatch {
  readonly #options: BeatWatchOptions;
  #silentMs = 0;
  #lookedAtMs = 0;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(options: BeatWatchOptions) {
    this.#options = options;
  }

  /** Records a heartbeat. */
  note(): void {
    this.#silentMs = 0;
    if (this.#isOver || this.#cancel !== undefined) return;
    this.#lookedAtMs = this.#options.clock.now();
    this.#lookLater();
  }

  /** Ends the watch; later beats are ignored. */
  end(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #lookLater(): void {
    this.#cancel = this.#options.timer.after(BEAT_MS, () => this.#look());
  }

  #look(): void {
    const nowMs = this.#options.clock.now();
    const passedMs = nowMs - this.#lookedAtMs;
    this.#lookedAtMs = nowMs;
    const isOnTime = passedMs >= 0 && passedMs < 2 * BEAT_MS;
    this.#silentMs = isOnTime ? this.#silentMs + passedMs : 0;
    if (this.#silentMs < SILENCE_MS_MAX) return this.#lookLater();
    this.end();
    this.#options.onSilent(this.#silentMs);
  }
}

interface LifePorts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly onReady: () => void;
}

/** One run of a child process, from start to exit. A child that stops sending heartbeats is killed. */
export class Life {
  /** Resolves once the process has exited and all its messages are read. */
  readonly death: Promise<Death>;
  readonly #child: ChildProcess;
  readonly #watch: BeatWatch;
  #ready: { readonly ports: ListenPorts; readonly atMs: number } | null = null;
  #silentMs: number | undefined;
  /** Whether the process receives messages yet. */
  #hasJoined = false;
  #isStopping = false;

  /** @param start the start message, sent once the process receives messages. */
  constructor(child: ChildProcess, start: Start, { clock, timer, onReady }: LifePorts) {
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
      if (message.kind === 'joined') {
        this.#hasJoined = true;
        this.#send({ kind: 'start', start });
        if (this.#isStopping) this.#send({ kind: 'stop' });
      } else if (message.kind === 'ready') {
        this.#ready = { ports: message.ports, atMs: clock.now() };
        onReady();
      } else if (message.kind === 'beat') this.#watch.note();
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
      // The event 'exit' would be too early: the last messages of the channel are read after it.
      child.once('close', (exitCode, signal) => die({ exitCode, signal }));
      child.on('error', (error: NodeJS.ErrnoException) => {
        // A process that failed to start emits nothing else.
        if (child.pid === undefined) die({ exitCode: null, signal: null, startFault: error.code ?? 'fault' });
      });
    });
  }

  /** The ports that the process listens on; null before it is ready. */
  get ports(): ListenPorts | null {
    return this.#ready?.ports ?? null;
  }

  /** Requests a shutdown by message. Ctrl+C already signals the child, and a second signal would kill it. */
  stop(): void {
    // The heartbeat watch does not limit the shutdown.
    this.#watch.end();
    this.#isStopping = true;
    if (this.#hasJoined) this.#send({ kind: 'stop' });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: ParentMessage): void {
    // The exit of a dead child is reported separately.
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}
