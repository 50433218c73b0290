import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import { systemTimer, type Timer } from '../ports/timer.ts';
import { describeDeath, exitCodeOf } from './death.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { Life } from './life.ts';
import type { StartDefaults, ListenPorts } from './messages.ts';
import { RestartPolicy } from './restart-policy.ts';

/** What is supervised. */
export interface SuperviseOptions {
  /** Path of the module the child runs; it has to call `joinSupervisor`. */
  readonly entry: string;
  /** Arguments after the module's path, the same for every start. */
  readonly args: readonly string[];
  /** The parts of the start message that never change. */
  readonly defaults: StartDefaults;
  readonly clock: Clock;
  /** Left out, the machine's. */
  readonly timer?: Timer;
}

/**
 * How long a shutdown may take, ms: ten seconds to answer requests in flight, plus closing the ledger. A
 * process that takes longer is stuck; what it acknowledged is on disk.
 */
export const STOP_MS_MAX = 15_000;

/** How it finally ended. */
export interface Ending {
  readonly exitCode: number;
  /** Set if it was killed because it did not shut down: how long it was waited for, ms. */
  readonly overdueMs?: number;
  /** Set if it crashed too often before it was ready. */
  readonly gaveUp?: { readonly deaths: number; readonly lastDeath: string };
}

/** A supervised child. */
export interface Supervision {
  readonly ended: Promise<Ending>;
  /** The current process, if there is one. */
  readonly pid: number | undefined;
  /** Asks the child to shut down and does not restart it. After {@link STOP_MS_MAX} it is killed. */
  stop(): void;
  /** Kills the child. The exit code is `EXIT_CODES.interrupted`. */
  kill(): void;
}

/**
 * Runs a module in a child process and restarts it when it crashes (an abort of native code, the OOM killer,
 * an uncaught exception) or stops sending heartbeats. Each start gets the ports of the one before, so that
 * they stay the same even if the system chose them. If this process dies, the child shuts itself down.
 */
export function supervise({
  entry,
  args,
  defaults,
  clock,
  timer = systemTimer,
}: SuperviseOptions): Supervision {
  const policy = new RestartPolicy();
  const stopping = new AbortController();
  let isKilled = false;
  let isOverdue = false;
  let life: Life | undefined;

  async function run(): Promise<Ending> {
    let ports: ListenPorts | null = null;
    let lastDeath: string | null = null;
    for (let restarts = 0; ; restarts++) {
      const start = { restarts, death: lastDeath, ports, ...defaults };
      life = new Life(entry, args, start, { clock, timer });
      const death = await life.death;
      ports = life.ports ?? ports;
      life = undefined;
      if (isKilled) return { exitCode: EXIT_CODES.interrupted };
      if (stopping.signal.aborted) {
        if (isOverdue && death.signal === 'SIGKILL') {
          return { exitCode: EXIT_CODES.overdue, overdueMs: STOP_MS_MAX };
        }
        return { exitCode: exitCodeOf(death) };
      }
      const verdict = policy.judge(death);
      lastDeath = describeDeath(death);
      if (verdict.action === 'end') return verdict;
      if (verdict.action === 'give-up') {
        return { exitCode: EXIT_CODES.gaveUp, gaveUp: { deaths: verdict.deaths, lastDeath } };
      }
      if (await isStoppedWithin(verdict.delayMs, stopping.signal)) return { exitCode: EXIT_CODES.done };
    }
  }

  return {
    ended: run(),
    get pid() {
      return life?.pid;
    },
    stop() {
      stopping.abort();
      life?.stop();
      timer.after(STOP_MS_MAX, () => {
        isOverdue = true;
        life?.kill();
      });
    },
    kill() {
      isKilled = true;
      stopping.abort();
      life?.kill();
    },
  };
}

async function isStoppedWithin(delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => {});
  return signal.aborted;
}
