import type { BookState, MintBook } from '../../src/console/answers.ts';
import { withPlainSymbol } from './pieces.ts';
import type { StatusKind } from './status.tsx';

export type { MintBook };

/** Icon and label of each state. */
export const BOOK_STATES: Readonly<Record<BookState, readonly [StatusKind, string]>> = {
  empty: ['hidden', 'empty'],
  agree: ['ok', 'balanced'],
  'under-way': ['wait', 'payments not settled'],
  disagree: ['bad', 'short'],
};

/** Parses base units. Missing or invalid amounts are null, never zero. */
export function unitsOf(text: string | null | undefined): bigint | null {
  return typeof text === 'string' && /^-?\d{1,24}$/.test(text) ? BigInt(text) : null;
}

/** Reads the books of a response, which is a page or a plain list. Unsafe symbols become null. */
export function booksIn(answer: unknown): readonly MintBook[] {
  const { books = answer } = (answer ?? {}) as { readonly books?: unknown };
  if (!Array.isArray(books)) return [];
  return (books as readonly MintBook[]).map(withPlainSymbol);
}
