import { expect, it } from 'vitest';
import { booksIn, unitsOf } from './book.ts';

it('treats missing amounts as unknown', () => {
  expect([
    unitsOf('0'),
    unitsOf('-5'),
    unitsOf(''),
    unitsOf(null),
    unitsOf('1.5'),
    unitsOf(undefined),
  ]).toEqual([0n, -5n, null, null, null, null]);
});

it('reads a list of books and a page of them', () => {
  expect(booksIn([{ mint: 'a', symbol: null }])).toHaveLength(1);
  expect(booksIn({ books: [{ mint: 'a', symbol: null }], after: null })).toHaveLength(1);
  expect(booksIn(null)).toEqual([]);
});
