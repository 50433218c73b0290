import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** A server in a separate process, which has its own CPU time. */
export interface Server {
  /** Output of the process until it was ready. */
  readonly output: string;
  /** CPU time used so far, user and system, ms. */
  cpuMs(): number;
  /** Resident memory, MiB. */
  residentMiB(): number;
  /** Sends SIGTERM and waits until the process has ended. */
  stop(): Promise<void>;
}

const HAS_TASKSET = process.platform === 'linux' && spawnSync('taskset', ['--version']).status === 0;

const ANY_CORE = `0-${cpus().length - 1}`;

/** Moves this process, the load generator, to the second core. Measured servers run on the first. */
export function moveAside(): void {
  if (HAS_TASKSET) spawnSync('taskset', ['-a', '-p', '-c', '1', String(process.pid)]);
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * Starts a Node program, on one core unless `core` is null. Resolves when its output matches `ready`, and
 * rejects if it ends first. The program ends with this process.
 */
export function startServer(
  args: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = {},
  core: number | null = 0,
): Promise<Server> {
  const command = [process.execPath, ...args];
  const [file = '', ...rest] = HAS_TASKSET
    ? ['taskset', '-c', String(core ?? ANY_CORE), ...command]
    : command;
  const child = spawn(file, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(child);
      resolve();
    });
  });
  const pid = Number(child.pid);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!ready.test(output)) return;
      resolve({ output, stop, cpuMs: () => cpuMsOf(pid), residentMiB: () => residentMiBOf(pid) });
    });
    void ended.then(() => reject(new Error(`${args.join(' ')} ended before it was ready`)));
  });
}

/** Clock ticks per second in /proc/<pid>/stat: 100 on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return cpuTimeByPs(pid);
  // Counts from the closing bracket of the command name, which can contain spaces: utime is 12, stime is 13.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

/** CPU time from `ps`, ms. It prints [[dd-]hh:]mm:ss.cc. */
function cpuTimeByPs(pid: number): number {
  const parts = askPs('cputime', pid).replace('-', ':').split(':').map(Number).toReversed();
  const seconds = [1, 60, 3_600, 86_400];
  return parts.reduce((sum, part, at) => sum + part * Number(seconds[at]) * 1_000, 0);
}

const residentMiBOf = (pid: number): number => Number(askPs('rss', pid)) / 1_024;

const askPs = (column: string, pid: number): string =>
  spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)])
    .stdout.toString()
    .trim();
