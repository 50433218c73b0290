import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { memoryOf } from './memory.ts';

/** A server in a process of its own, so that its CPU time can be told from the load generator's. */
export interface ServerProcess {
  readonly pid: number;
  /** What the process printed until it was ready. */
  readonly output: string;
  /** CPU time the process has used so far, user and system, ms. */
  cpuMs(): number;
  /** Resident memory, MiB. */
  residentMiB(): number;
  /** Ends it by a signal, SIGTERM when left out. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Clock ticks a second in /proc/<pid>/stat (`getconf CLK_TCK`; 100 on every Linux there is). */
const TICKS_PER_SECOND = 100;

const MIB = 1_024 * 1_024;

const ALL_CORES = `0-${cpus().length - 1}`;

const HAS_TASKSET = process.platform === 'linux' && spawnSync('taskset', ['--version']).status === 0;

/** Keeps this process off the first core, where the servers run. Without taskset the scheduler decides. */
export function moveAside(): void {
  if (HAS_TASKSET) spawnSync('taskset', ['-a', '-p', '-c', '1', String(process.pid)]);
}

/** Lets this process, and what it starts from now on, run on every core again. */
export function comeBack(): void {
  if (HAS_TASKSET) spawnSync('taskset', ['-a', '-p', '-c', ALL_CORES, String(process.pid)]);
}

/** The command that runs a Node program on the first core, where there is taskset. */
export function onFirstCore(args: readonly string[]): [string, string[]] {
  return onCore('0', args);
}

/** The same beside this process once it has moved aside: for what the server under load talks to. */
export function onSecondCore(args: readonly string[]): [string, string[]] {
  return onCore('1', args);
}

function onCore(core: string, args: readonly string[]): [string, string[]] {
  return HAS_TASKSET ? ['taskset', ['-c', core, process.execPath, ...args]] : [process.execPath, [...args]];
}

/** The command that runs a Node program on any core, which a child of this process would not by itself. */
export function onAnyCore(args: readonly string[]): [string, string[]] {
  return HAS_TASKSET
    ? ['taskset', ['-c', ALL_CORES, process.execPath, ...args]]
    : [process.execPath, [...args]];
}

/** Servers that run; none outlives this process, whatever ends it. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts a Node program and waits until it prints a line that matches `ready`. It runs on the first core if
 * not otherwise said.
 */
export function startServer(
  args: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = {},
  place: (args: readonly string[]) => [string, string[]] = onFirstCore,
): Promise<ServerProcess> {
  const [command, commandArgs] = place(args);
  const child = spawn(command, commandArgs, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code} before it was ready`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (ready.test(output)) resolve(describeProcess(child, output));
    });
  });
}

function describeProcess(child: ChildProcess, output: string): ServerProcess {
  const pid = child.pid as number;
  return {
    pid,
    output,
    cpuMs: () => cpuMsOf(pid),
    residentMiB: () => memoryOf(pid).resident / MIB,
    stop: (signal = 'SIGTERM') =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill(signal);
      }),
  };
}

/** CPU time a process has used so far, user and system, ms. */
export function cpuMsOf(pid: number): number {
  if (process.platform !== 'linux') return processTimeMs(pid);
  // The command name may hold spaces, so count from its closing bracket: utime and stime are the 12th and
  // 13th.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

/** CPU time as `ps` prints it, [[dd-]hh:]mm:ss.cc. */
function processTimeMs(pid: number): number {
  const text = spawnSync('ps', ['-o', 'cputime=', '-p', String(pid)])
    .stdout.toString()
    .trim();
  const parts = text.replace('-', ':').split(':').map(Number).toReversed();
  const units = [1, 60, 3_600, 86_400];
  return parts.reduce((sum, part, i) => sum + part * (units[i] as number) * 1_000, 0);
}
