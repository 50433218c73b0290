import { describe, expect, it } from 'vitest';
import { searchOf } from '../parts/location.ts';
import {
  filterEntries,
  followedBy,
  groupRefusals,
  joinEntries,
  readRequestFilters,
  type Entry,
} from './entries.ts';

function entry(seq: number, change: Partial<Entry> = {}): Entry {
  const whole = { door: 'rest', call: 'POST /v1/spl/withdraw', status: 200, code: null, ms: 3 } as const;
  return {
    seq,
    atMs: seq * 10,
    requestBytes: 1,
    responseBytes: 2,
    requestId: `r${seq}`,
    ...whole,
    ...change,
  };
}

const ALL = readRequestFilters('');

describe('the list of calls', () => {
  it('omits the calls of the page unless they are requested', () => {
    const entries = [entry(2, { own: true }), entry(1)];
    expect(filterEntries(entries, ALL).map(({ seq }) => seq)).toEqual([1]);
    expect(filterEntries(entries, { ...ALL, own: true }).map(({ seq }) => seq)).toEqual([2, 1]);
  });

  it('filters by endpoint, code, rejection and time', () => {
    const settling = entry(2, { code: 'EATA_SETTLING', status: 409 });
    const entries = [entry(4, { door: 'mcp' }), entry(3, { ms: 51 }), settling, entry(1)];
    const seqs = (search: string) => filterEntries(entries, readRequestFilters(search)).map(({ seq }) => seq);
    expect([seqs('?door=mcp'), seqs('?code=EATA_SETTLING'), seqs('?refused=1'), seqs('?slow=1')]).toEqual([
      [4],
      [2],
      [2],
      [3],
    ]);
  });

  it('writes filters into the URL as it reads them, and nothing else', () => {
    const search = '?door=rest&code=EATA_SETTLING&refused=1&slow=1&own=1';
    expect(searchOf({ ...readRequestFilters(search) })).toBe(search);
    expect(searchOf({ ...readRequestFilters('?door=elsewhere&code=<b>&token=secret') })).toBe('');
  });

  it('lists a repeated call once', () => {
    expect(joinEntries([entry(2), entry(1)], [entry(3), entry(2)]).map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });

  it('groups rejections by code, the latest first', () => {
    const entries = [entry(1, { code: 'A' }), entry(2, { code: 'B' }), entry(3, { code: 'A' }), entry(4)];
    expect(groupRefusals(entries)).toEqual([
      { code: 'A', count: 2, lastAtMs: 30 },
      { code: 'B', count: 1, lastAtMs: 20 },
    ]);
  });

  it('finds the next repetition of the call at the same endpoint', () => {
    const entries = [entry(5), entry(4), entry(3, { call: 'other' }), entry(2, { door: 'mcp' }), entry(1)];
    expect(followedBy(entries, entries[4] as Entry)?.seq).toBe(4);
    expect(followedBy(entries, entries[0] as Entry)).toBeNull();
  });
});
