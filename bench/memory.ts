import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What memory a process has, bytes. */
export interface Memory {
  /** In RAM: its own, and pages of the files that it maps, which are node, libraries and the database. */
  readonly resident: number;
  /** In RAM and of no file. Not a number where the system does not say, which is so outside of Linux. */
  readonly anonymous: number;
  /** The most that was resident since it started. Not a number outside of Linux. */
  readonly residentMost: number;
}

const KIB = 1_024;

/** Reads it from /proc, and from `ps` where there is none. */
export function memoryOf(pid: number): Memory {
  if (process.platform !== 'linux') {
    const residentKib = Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)]).stdout);
    return { resident: residentKib * KIB, anonymous: Number.NaN, residentMost: Number.NaN };
  }
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    resident: inBytes(rollup, 'Rss'),
    anonymous: inBytes(rollup, 'Anonymous'),
    residentMost: inBytes(status, 'VmHWM'),
  };
}

/**
 * What a process has in RAM that is of no file, bytes; asking for it costs the process nothing. Not a number
 * outside of Linux.
 */
export function anonymousOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  return inBytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'RssAnon');
}

/** What of that lies where malloc allocates all that is not large, bytes. Not a number outside of Linux. */
export function mallocHeapOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const mappings = readFileSync(`/proc/${pid}/smaps`, 'utf8');
  return inBytes(mappings.slice(mappings.indexOf('[heap]')), 'Anonymous');
}

function inBytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * KIB;
}
