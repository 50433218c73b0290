import type { BookState, MintBook } from '../../src/console/answers.ts';
import { withPlainSymbol } from './pieces.ts';
import type { StatusKind } from './status.tsx';

export type { MintBook };

/** How a state is drawn, and its words. */
export const BOOK_STATES: Readonly<Record<BookState, readonly [StatusKind, string]>> = {
  empty: ['hidden', 'empty'],
  agree: ['ok', 'balanced'],
  'under-way': ['wait', 'payments not settled'],
  disagree: ['bad', 'short'],
};

/** Base units. Missing or invalid amounts are null, never zero. */
export function unitsOf(text: string | null | undefined): bigint | null {
  return typeof text === 'string' && /^-?\d{1,24}$/.test(text) ? BigInt(text) : null;
}

/** A page of books, or the answer as a bare list; a symbol that cannot stand as it is is none. */
export function booksIn(answer: unknown): readonly MintBook[] {
  const { books = answer } = (answer ?? {}) as { readonly books?: unknown };
  if (!Array.isArray(books)) return [];
  return (books as readonly MintBook[]).map(withPlainSymbol);
}
