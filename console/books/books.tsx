import { useEffect, useState } from 'preact/hooks';
import { useLoaded, type Loaded } from '../parts/loaded.tsx';
import { Go } from '../parts/go.tsx';
import type { Reader } from '../parts/reader.ts';
import { getJson, followService } from '../parts/service-api.ts';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { shorten } from '../parts/short-text.ts';
import { BookCard } from './book-card.tsx';
import { booksIn, type MintBook } from '../parts/book.ts';

interface BooksProps {
  /** The mint in the URL; undefined for all mints. */
  readonly mint: string | undefined;
  readonly reader: Reader;
}

/** The books of one mint or of all mints: what the vaults hold and owe. */
export function Books({ mint, reader }: BooksProps) {
  const loaded = useBooks(reader);
  const books = loaded.state === 'answered' ? loaded.value : [];
  const shown = mint === undefined ? books : books.filter((book) => book.mint === mint);
  const symbol = shown[0]?.symbol;
  return (
    <>
      <div class="head">
        <div>
          <h1>{mint === undefined ? 'Books' : `Books of ${symbol ?? shorten(mint)}`}</h1>
          <p>
            What each vault holds and what it owes. Only totals, which everyone can read on the base ledger.
          </p>
        </div>
        {mint === undefined ? null : <Go to="/console/books">All mints</Go>}
      </div>
      {loaded.state === 'loading' ? (
        <section class="card" aria-label="Books">
          <Skeleton rows={5} />
        </section>
      ) : null}
      {loaded.state === 'failed' ? (
        <section class="card" aria-label="Books">
          <Note kind="bad">{loaded.message}</Note>
        </section>
      ) : null}
      {loaded.state === 'answered' && shown.length === 0 ? (
        <section class="card blank" aria-label="Books">
          <Empty title="No vault yet.">
            The first deposit creates one.
            <br />
            <Go class="btn" to="/console/">
              Make a deposit
            </Go>
          </Empty>
        </section>
      ) : null}
      <div class="two">
        {shown.map((book) => (
          <BookCard key={book.mint} book={book} link={mint === undefined} />
        ))}
      </div>
    </>
  );
}

/**
 * Loads the books, and loads them again after each event of the base ledger. The previous answer stays
 * visible meanwhile, because it is the same for every reader.
 */
function useBooks(reader: Reader): Loaded<readonly MintBook[]> {
  const [round, setRound] = useState(0);
  const [held, setHeld] = useState<readonly MintBook[] | null>(null);
  useEffect(() => {
    const again = () => setRound((before) => before + 1);
    const ends = [
      followService({ settlement: again, reset: again }),
      reader.subscribe('base', 'logsSubscribe', ['all', { commitment: 'confirmed' }], again),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [reader]);
  const loaded = useLoaded(() => getJson<unknown>('/console/api/books').then(booksIn), [reader, round]);
  useEffect(() => {
    if (loaded.state === 'answered') setHeld(loaded.value);
  }, [loaded]);
  return loaded.state === 'loading' && held !== null ? { state: 'answered', value: held } : loaded;
}
