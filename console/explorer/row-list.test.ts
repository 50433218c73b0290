import { describe, expect, it } from 'vitest';
import { RowList } from './row-list.ts';
import { ROWS_MAX, type Row } from './transactions.ts';

const row = (at: number, time: number | null = null): Row => ({
  ledger: 'base',
  signature: `signature${at}`,
  slot: at,
  time,
  failed: false,
});

const slots = (list: RowList): readonly number[] => list.rows.map(({ slot }) => slot);

describe('the rows of a list', () => {
  it('that arrive are above those that were listed, newest first and without duplicates', () => {
    const list = new RowList();
    list.list([row(2, 20), row(1, 10)]);
    list.admit();
    for (const at of [3, 2, 4, 3]) list.come(row(at));
    expect([slots(list), list.waiting]).toEqual([[2, 1], 2]);
    list.admit();
    expect([slots(list), list.waiting]).toEqual([[4, 3, 2, 1], 0]);
  });

  it('that are listed after a gap go between the rows before it and the rows after it', () => {
    const list = new RowList();
    list.list([row(1, 10)]);
    list.come(row(2));
    list.admit();
    list.come(row(5));
    list.list([row(4, 40), row(3, 30), row(2, 20), row(1, 10)]);
    expect(slots(list)).toEqual([2, 1]);
    list.admit();
    expect(slots(list)).toEqual([5, 4, 3, 2, 1]);
  });

  it('are the same array as long as no row is added', () => {
    const list = new RowList();
    list.list([row(1, 10)]);
    list.admit();
    const before = list.rows;
    list.come(row(2));
    list.come(row(1));
    expect(list.rows).toBe(before);
    list.admit();
    list.admit();
    expect(slots(list)).toEqual([2, 1]);
  });

  it('are limited to the newest 10,000, and waiting rows to twice as many', () => {
    const list = new RowList();
    const events = 5 * ROWS_MAX;
    for (let at = 1; at <= events; at += 1) list.come(row(at));
    expect(list.waiting).toBe(events);
    list.admit();
    expect([list.rows.length, list.rows[0]?.slot, list.rows.at(-1)?.slot]).toEqual([
      ROWS_MAX,
      events,
      events - ROWS_MAX + 1,
    ]);
    // One that was let go is not known any more.
    list.come(row(1));
    expect(list.waiting).toBe(1);
  });
});
