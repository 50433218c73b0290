import { describe, expect, it } from 'vitest';
import { Members } from './members.ts';

describe('members', () => {
  it('stand in the order in which they came, whoever leaves', () => {
    const members = new Members<string>();
    const [a, b, c] = ['a', 'b', 'c'].map((item) => members.add(item));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three were added');
    expect(members.toArray()).toEqual(['a', 'b', 'c']);
    members.remove(b);
    expect([members.toArray(), members.size, members.first?.item]).toEqual([['a', 'c'], 2, 'a']);
    members.remove(a);
    members.add('d');
    expect([members.toArray(), members.size, members.first?.item]).toEqual([['c', 'd'], 2, 'c']);
    members.remove(c);
    expect([members.toArray(), members.size, members.first?.item]).toEqual([['d'], 1, 'd']);
  });

  it('leave once, also when told twice', () => {
    const members = new Members<string>();
    const first = members.add('first');
    members.add('second');
    members.remove(first);
    members.remove(first);
    expect([members.toArray(), members.size, first.isGone]).toEqual([['second'], 1, true]);
  });

  it('that are equal leave one at a time', () => {
    const members = new Members<string>();
    members.add('same');
    members.remove(members.add('same'));
    expect(members.toArray()).toEqual(['same']);
  });

  it('are none before the first and after the last', () => {
    const members = new Members<number>();
    expect([members.toArray(), members.size, members.first]).toEqual([[], 0, undefined]);
    members.remove(members.add(1));
    expect([members.toArray(), members.size, members.first]).toEqual([[], 0, undefined]);
  });

  it('point at no other once they have left (bug: answered requests lived until a full collection)', () => {
    const members = new Members<object>();
    const [left, ...others] = Array.from({ length: 5 }, () => members.add({}));
    if (left === undefined) throw new Error('five were added');
    members.remove(left);
    const reached = new Set<unknown>();
    const reach = (from: unknown): void => {
      if (typeof from !== 'object' || from === null || reached.has(from)) return;
      reached.add(from);
      for (const value of Object.values(from)) reach(value);
    };
    reach(left);
    expect(others.filter((other) => reached.has(other) || reached.has(other.item))).toEqual([]);
  });
});
