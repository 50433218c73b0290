import { BookCard } from '../books/book-card.tsx';
import { booksIn, type MintBook } from '../parts/book.ts';
import { getJson } from '../parts/service-api.ts';
import { Empty, Note, Skeleton } from '../parts/states.tsx';

/** The books; null if the service does not share them. */
export type Books = readonly MintBook[] | null;

/** Loads the books of the service; null if it does not share them. */
export const readBooks = (): Promise<Books> =>
  getJson<unknown>('/console/api/books').then(booksIn, () => null);

/** The books of one mint. */
export function BooksStrip({
  books,
  mint,
  isLoaded,
}: {
  readonly books: Books;
  readonly mint: string;
  readonly isLoaded: boolean;
}) {
  const book = books?.find((each) => each.mint === mint);
  if (book !== undefined && book.state !== 'empty') return <BookCard book={book} link />;
  return (
    <section class="card" aria-label="Books">
      <header>
        <h2>Books</h2>
      </header>
      {!isLoaded ? (
        <Skeleton rows={3} />
      ) : books === null ? (
        <Note kind="warn">The service does not share its books.</Note>
      ) : (
        <Empty title="No deposits yet.">The first deposit creates the vault.</Empty>
      )}
    </section>
  );
}
