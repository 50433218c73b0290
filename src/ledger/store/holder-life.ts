import { readFileSync } from 'node:fs';

/**
 * What is known of a process that holds something: it runs, it is coming to its end, or nothing of it runs
 * any more.
 */
export type HolderLife = 'runs' | 'dies' | 'gone';

/** Set in the flags of a process that is being taken down (Linux `PF_EXITING`, include/linux/sched.h). */
const EXITING = 0x4;

/** Signal 9 as one of a mask of signals (proc(5), `SigPnd` and `ShdPnd` of /proc/pid/status). */
const KILL = 1n << 8n;

/**
 * Where the fields of /proc/pid/stat are, counted from the one behind the name (proc(5): state is field 3).
 */
const FIELD = { state: 0, flags: 6, threads: 17, start: 19 };

/** The fields of /proc/pid/stat behind the name, which may hold anything but ends at the last parenthesis. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** When a process began, in clock ticks since boot. */
export const startTicksOf = (stat: string): string | undefined => fieldsOf(stat)[FIELD.start];

/** The life of a process of this machine that `kill(pid, 0)` finds. Where /proc does not tell, it runs. */
export function lifeOf(pid: number): HolderLife {
  try {
    const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1');
    return readLife(read('stat'), read('status'));
  } catch {
    return 'runs';
  }
}

/**
 * What /proc/pid/stat and /proc/pid/status tell. A killed process that nobody waits for stays in the table of
 * processes, and is gone all the same once its last thread is.
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
