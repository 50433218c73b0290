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
  /** What each start is told besides. */
  readonly defaults: StartDefaults;
  readonly clock: Clock;
  /** Left out, the machine's. */
  readonly timer?: Timer;
}

/**
 * How long an orderly end may take, ms: the ten seconds in which requests in flight are answered, and what it takes to
 * close the ledger. A process that takes longer hears nothing any more, and what it acknowledged is on the disk.
 */
export const STOP_MS_MAX = 15_000;

/** How it ended for good. */
export interface Ending {
  readonly exitCode: number;
  /** Set when it was killed because it did not end: how long it was waited for, ms. */
  readonly overdueMs?: number;
  /** Set when it died too often before it was ready. */
  readonly gaveUp?: { readonly deaths: number; readonly lastDeath: string };
}

/** A child that is kept running. */
export interface Supervision {
  readonly ended: Promise<Ending>;
  /** The process that runs at the moment, if one does. */
  readonly pid: number | undefined;
  /** Asks the child to end in order, and starts it no more. One that does not within {@link STOP_MS_MAX} is killed. */
  stop(): void;
  /** Ends the child at once. The ending is `EXIT_CODES.interrupted`. */
  kill(): void;
}

/**
 * Runs a module in a process of its own and starts it again when it dies by accident: an abort of native code, the
 * system's out-of-memory killer, an exception nobody caught; and when it is stuck, which is told by its beat. Each start
 * is told where the one before listened, so that
 * the ports stay the same even where the system chose them. When this process dies, the child ends itself in order.
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
