import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { Life, type Start, type StartDefaults } from './life.ts';
import {
  type Death,
  DELAY_MS_MAX,
  describeDeath,
  exitCodeOf,
  RestartPolicy,
  type Decision,
} from './restart-policy.ts';
import { MEMORY_ENVIRONMENT, nodeFlags, SharedPorts } from './shared-ports.ts';

/** Options for {@link Supervision}. */
export interface SuperviseOptions {
  /** Path of the module that the child runs. It must call `joinSupervisor`. */
  readonly entry: string;
  /** Arguments after the module's path, the same for every start. */
  readonly args: readonly string[];
  /** The parts of the start message that never change. */
  readonly defaults: StartDefaults;
  /** Number of processes that share their ports; default 1. */
  readonly count?: number;
  readonly clock: Clock;
  /** The timer. Default: the system timer. */
  readonly timer?: Timer;
}

/** Time limit for a shutdown, in ms: ten seconds for requests in flight, plus closing the ledger. */
export const STOP_MS_MAX = 15_000;

/** The end of a supervised run, with the exit code to use. */
export interface Ending {
  readonly exitCode: number;
  /** The time limit in ms, if the process was killed because it did not shut down. */
  readonly overdueMs?: number;
  /** The number of crashes and the last one, if the process crashed too often before it was ready. */
  readonly gaveUp?: { readonly deaths: number; readonly lastDeath: string };
}

/**
 * Runs a module in one or more child processes, and restarts a process that crashes (an abort of native code,
 * the OOM killer, an uncaught exception) or stops sending heartbeats. Several processes share their ports.
 * Each start reuses the ports of the previous start, even if the system chose them. If this process dies, the
 * children shut themselves down.
 *
 * The first of several processes starts alone, so invalid settings are reported once. After it has served,
 * the supervisor keeps restarting every process, because a missing port or file may come back.
 */
export class Supervision {
  /** Resolves when all processes have ended, with the end of the process with the highest exit code. */
  readonly ended: Promise<Ending>;
  readonly #options: SuperviseOptions;
  readonly #timer: Timer;
  readonly #shared: SharedPorts | null;
  readonly #stopping = new AbortController();
  readonly #lives = new Set<Life>();
  #hasServed = false;
  #isKilled = false;
  #isOverdue = false;

  constructor(options: SuperviseOptions) {
    const { count = 1, entry, args, timer = systemTimer } = options;
    this.#options = options;
    this.#timer = timer;
    this.#shared = count > 1 ? new SharedPorts(entry, args) : null;
    this.ended = this.#shared === null ? this.#keep(null) : this.#keepAll(count);
  }

  /** Asks all children to shut down and restarts none. After {@link STOP_MS_MAX} they are killed. */
  stop(): void {
    this.#stopping.abort();
    this.#timer.after(STOP_MS_MAX, () => {
      this.#isOverdue = true;
      for (const life of this.#lives) life.kill();
    });
    for (const life of this.#lives) life.stop();
    const shared = this.#shared;
    // The processes stop accepting requests on open connections first.
    void shared?.settle().then(() => shared.close());
  }

  /** Kills the children. The exit code is `EXIT_CODES.interrupted`. */
  kill(): void {
    this.#isKilled = true;
    this.#stopping.abort();
    for (const life of this.#lives) life.kill();
  }

  async #keepAll(count: number): Promise<Ending> {
    const others: Promise<Ending>[] = [];
    const first = await this.#keep(1, () => {
      for (let worker = others.length + 2; worker <= count; worker++) others.push(this.#keep(worker));
    });
    const endings = [first, ...(await Promise.all(others))];
    return endings.reduce((worst, ending) => (ending.exitCode > worst.exitCode ? ending : worst));
  }

  /** Runs a process and its replacements. */
  async #keep(worker: number | null, onReady?: () => void): Promise<Ending> {
    const policy = new RestartPolicy();
    let last: Pick<Start, 'death' | 'ports'> = { death: null, ports: null };
    for (let restarts = 0; ; restarts++) {
      const life = this.#begin({ restarts, worker, ...last }, onReady);
      const death = await life.death;
      this.#lives.delete(life);
      // `node:cluster` identifies a shared port by the requested number, which may be 0.
      const ports = worker === null ? (life.ports ?? last.ports) : null;
      last = { death: describeDeath(death), ports };
      if (this.#stopping.signal.aborted) return this.#endingOf(death);
      const isInsisted = worker !== null && this.#hasServed;
      const decision = isInsisted ? insist(policy, death) : policy.decide(death);
      if (decision.action === 'end') return decision;
      if (decision.action === 'give-up') {
        const gaveUp = { deaths: decision.deaths, lastDeath: last.death as string };
        return { exitCode: EXIT_CODES.gaveUp, gaveUp };
      }
      if (await isStoppedWithin(decision.delayMs, this.#stopping.signal))
        return { exitCode: EXIT_CODES.done };
    }
  }

  #begin(start: Omit<Start, 'hasServed' | keyof StartDefaults>, onReady?: () => void): Life {
    const { entry, args, defaults, clock } = this.#options;
    const child = this.#shared?.fork() ?? forkAlone(entry, args);
    const life = new Life(
      child,
      { ...start, hasServed: this.#hasServed, ...defaults },
      {
        clock,
        timer: this.#timer,
        onReady: () => {
          this.#hasServed = true;
          onReady?.();
        },
      },
    );
    this.#lives.add(life);
    return life;
  }

  /** Returns the end of a child after a request to stop. */
  #endingOf(death: Death): Ending {
    if (this.#isKilled) return { exitCode: EXIT_CODES.interrupted };
    if (this.#isOverdue && death.signal === 'SIGKILL') {
      return { exitCode: EXIT_CODES.overdue, overdueMs: STOP_MS_MAX };
    }
    return { exitCode: exitCodeOf(death) };
  }
}

/** Always restarts, because the other processes continue. */
function insist(policy: RestartPolicy, death: Death): Decision {
  const decision = policy.decide(death, true);
  return decision.action === 'restart' ? decision : { action: 'restart', delayMs: DELAY_MS_MAX };
}

/** Forks a process that inherits stdin, stdout and stderr. The operator's variables take precedence. */
function forkAlone(entry: string, args: readonly string[]): ChildProcess {
  return fork(entry, args, {
    stdio: 'inherit',
    execArgv: [...nodeFlags()],
    env: { ...MEMORY_ENVIRONMENT, ...process.env },
  });
}

async function isStoppedWithin(delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {});
  return signal.aborted;
}
