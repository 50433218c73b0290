import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What memory a process has, bytes. */
export interface Memory {
  /** In RAM, with what it shares with other processes: the program text of node, above all. */
  readonly resident: number;
  /** In RAM and its own. Not a number where the system does not say, which is so outside of Linux. */
  readonly unshared: number;
  /** The most that was resident since it started. Not a number outside of Linux. */
  readonly residentMost: number;
}

const KIB = 1_024;

/** Reads it from /proc, and from `ps` where there is none. */
export function memoryOf(pid: number): Memory {
  if (process.platform !== 'linux') {
    const residentKib = Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)]).stdout);
    return { resident: residentKib * KIB, unshared: Number.NaN, residentMost: Number.NaN };
  }
  const inBytes = (text: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * KIB;
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    resident: inBytes(rollup, 'Rss'),
    unshared: inBytes(rollup, 'Private_Clean') + inBytes(rollup, 'Private_Dirty'),
    residentMost: inBytes(status, 'VmHWM'),
  };
}
