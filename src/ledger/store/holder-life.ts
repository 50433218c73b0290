import { readFileSync } from 'node:fs';

/** The state of a process: running, exiting, or gone. */
export type HolderLife = 'runs' | 'dies' | 'gone';

/** The flag of an exiting process (Linux `PF_EXITING`, include/linux/sched.h). */
const EXITING = 0x4;

/** Signal 9 in a signal mask (proc(5), `SigPnd` and `ShdPnd` of /proc/pid/status). */
const KILL = 1n << 8n;

/** Indices of the fields of /proc/pid/stat behind the name (proc(5): state is field 3). */
const FIELD = { state: 0, flags: 6, threads: 17, start: 19 };

/**
 * The fields of /proc/pid/stat behind the name. The name may contain anything, but ends at the last
 * parenthesis.
 */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** The start time of a process, clock ticks since boot. */
export const startTicksOf = (stat: string): string | undefined => fieldsOf(stat)[FIELD.start];

/** The state of a process that `kill(pid, 0)` finds. Without /proc it counts as running. */
export function lifeOf(pid: number): HolderLife {
  try {
    const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');
    return readLife(read('stat'), read('status'));
  } catch {
    return 'runs';
  }
}

/**
 * Reads the state from /proc/pid/stat and /proc/pid/status. A killed process that its parent does not reap
 * stays in the process table, but counts as gone once its last thread has ended.
 */
export function readLife(stat: string, status: string): HolderLife {
  const fields = fieldsOf(stat);
  const state = fields[FIELD.state] as string;
  if ('ZXx'.includes(state)) return Number(fields[FIELD.threads]) > 1 ? 'dies' : 'gone';
  const isExiting = (Number(fields[FIELD.flags]) & EXITING) !== 0;
  return isExiting || isKilled(status) ? 'dies' : 'runs';
}

function isKilled(status: string): boolean {
  const masks = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)];
  return masks.some(([, mask]) => (BigInt(`0x${mask}`) & KILL) !== 0n);
}
