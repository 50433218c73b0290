import type { LoggedCall, RequestLog } from '../../src/console/answers.ts';

export type { RequestLog };

/** Titles of errors, by code. */
export type ErrorTitles = Readonly<Record<string, string>>;

export type Door = LoggedCall['door'];

/** Maximum calls on the page, the same as in the service. */
const ENTRIES_MAX = 1_000;

/** A call in the service's list. */
export type Entry = LoggedCall;

/** Filters of the list, stored in the URL. */
export interface RequestFilters {
  readonly door: Door | null;
  readonly code: string | null;
  readonly refused: boolean;
  readonly slow: boolean;
  /** Whether to list the calls of this page, too. */
  readonly own: boolean;
}

/** Duration above which a call is slow, ms. */
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

/** Filters calls and keeps their order. */
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

/** Merges two lists of calls, newest first, without duplicates. */
export function joinEntries(held: readonly Entry[], came: readonly Entry[]): readonly Entry[] {
  const known = new Set(held.map(({ seq }) => seq));
  const fresh = came.filter(({ seq }) => !known.has(seq));
  if (fresh.length === 0) return held;
  return [...fresh, ...held].sort((one, other) => other.seq - one.seq).slice(0, ENTRIES_MAX);
}

/** The rejected calls with one error code. */
interface RefusalGroup {
  readonly code: string;
  readonly count: number;
  readonly lastAtMs: number;
}

/** Groups rejected calls by error code, latest first. */
export function groupRefusals(entries: readonly Entry[]): RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>();
  for (const { code, atMs } of entries) {
    if (code === null) continue;
    const group = groups.get(code) ?? { code, count: 0, lastAtMs: atMs };
    groups.set(code, { code, count: group.count + 1, lastAtMs: Math.max(group.lastAtMs, atMs) });
  }
  return [...groups.values()].sort((one, other) => other.lastAtMs - one.lastAtMs);
}

/** The next same call; null if there is none yet. */
export function followedBy(entries: readonly Entry[], entry: Entry): Entry | null {
  const later = entries.filter(
    ({ call, door, seq }) => call === entry.call && door === entry.door && seq > entry.seq,
  );
  return later.reduce<Entry | null>((next, one) => (next === null || one.seq < next.seq ? one : next), null);
}
