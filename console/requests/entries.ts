import type { LoggedCall, RequestLog } from '../../src/console/answers.ts';

export type { RequestLog };

/** Titles of errors, by code. */
export type ErrorTitles = Readonly<Record<string, string>>;

export type Door = LoggedCall['door'];

/** Calls that the page holds, as many as the service keeps. */
const ENTRIES_MAX = 1_000;

/** A call of the service, as its list has it. */
export type Entry = LoggedCall;

/** What the list shows of all calls: the part of its URL. */
export interface RequestFilters {
  readonly door: Door | null;
  readonly code: string | null;
  readonly refused: boolean;
  readonly slow: boolean;
  /** Whether calls of this page are listed too. */
  readonly own: boolean;
}

/** What "slow" means, ms. */
export const SLOW_MS = 50;

const DOORS: readonly string[] = ['mcp', 'rest', 'base', 'rollup'] satisfies readonly Door[];

export function readRequestFilters(search: string): RequestFilters {
  const query = new URLSearchParams(search);
  const door = query.get('door');
  const code = query.get('code');
  return {
    door: door !== null && DOORS.includes(door) ? (door as Door) : null,
    code: code !== null && /^[A-Z0-9_-]{1,60}$/.test(code) ? code : null,
    refused: query.get('refused') === '1',
    slow: query.get('slow') === '1',
    own: query.get('own') === '1',
  };
}

export const isRefused = ({ code, status }: Entry): boolean => code !== null || status >= 400;

/** Newest first. */
export function filterEntries(entries: readonly Entry[], filters: RequestFilters): readonly Entry[] {
  const { door, code, refused, slow, own } = filters;
  return entries.filter(
    (entry) =>
      (own || entry.own !== true) &&
      (door === null || entry.door === door) &&
      (code === null || entry.code === code) &&
      (!refused || isRefused(entry)) &&
      (!slow || entry.ms > SLOW_MS),
  );
}

/** @returns both lists as one, newest first, each call once. */
export function joinEntries(held: readonly Entry[], came: readonly Entry[]): readonly Entry[] {
  const known = new Set(held.map(({ seq }) => seq));
  const fresh = came.filter(({ seq }) => !known.has(seq));
  if (fresh.length === 0) return held;
  return [...fresh, ...held].sort((one, other) => other.seq - one.seq).slice(0, ENTRIES_MAX);
}

/** Refusals of one code. */
interface RefusalGroup {
  readonly code: string;
  readonly count: number;
  readonly lastAtMs: number;
}

/** Refusals by their code, the latest first. */
export function groupRefusals(entries: readonly Entry[]): RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>();
  for (const { code, atMs } of entries) {
    if (code === null) continue;
    const group = groups.get(code) ?? { code, count: 0, lastAtMs: atMs };
    groups.set(code, { code, count: group.count + 1, lastAtMs: Math.max(group.lastAtMs, atMs) });
  }
  return [...groups.values()].sort((one, other) => other.lastAtMs - one.lastAtMs);
}

/** The next time the same call was made; null if it was not, or not yet. */
export function followedBy(entries: readonly Entry[], entry: Entry): Entry | null {
  const later = entries.filter(
    ({ call, door, seq }) => call === entry.call && door === entry.door && seq > entry.seq,
  );
  return later.reduce<Entry | null>((next, one) => (next === null || one.seq < next.seq ? one : next), null);
}
