import { describe, expect, it } from 'vitest';
import { formatCutName, formatSegmentName, isJournalFile, parseSegmentName } from './segment-name.ts';

describe('the name of a segment', () => {
  it.each([
    [1, 0],
    [2 ** 53 - 1, 0xffff_ffff],
  ])('says sequence %i and salt %i', (sequence, salt) => {
    const name = formatSegmentName({ sequence, salt });
    expect(parseSegmentName(name)).toEqual({ sequence, salt });
    expect(isJournalFile(name)).toBe(true);
    expect(isJournalFile(formatCutName(name, 17))).toBe(true);
    expect(parseSegmentName(formatCutName(name, 17))).toBeNull();
  });

  it.each(['', 'journal', 'journal-1-2', 'ledger.mdb', 'journal-0000000000000001-0000000G', 'journal.cut-1'])(
    'is not %j',
    (name) => {
      expect(parseSegmentName(name)).toBeNull();
      expect(isJournalFile(name)).toBe(false);
    },
  );
});
