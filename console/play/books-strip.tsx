import { MintAmount } from '../parts/amount.tsx';
import { BOOK_STATES, type MintBook } from '../parts/book.ts';
import { Go } from '../parts/go.tsx';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';

/** Null where the service does not tell its books. */
export type Books = readonly MintBook[] | null;

/** Asks the service for its books: what base shows to everybody. */
export async function readBooks(fetch: typeof globalThis.fetch): Promise<Books> {
  try {
    const response = await fetch('/console/api/books', { cache: 'no-store', redirect: 'error' });
    if (!response.ok) return null;
    const body: unknown = await response.json();
    return Array.isArray(body) ? (body as readonly MintBook[]) : null;
  } catch {
    return null;
  }
}

/** @param asked whether the answer is there. */
export function BooksStrip({
  books,
  mint,
  asked,
}: {
  readonly books: Books;
  readonly mint: string;
  readonly asked: boolean;
}) {
  const book = books?.find((each) => each.mint === mint);
  const isEmpty = book === undefined || book.state === 'empty';
  return (
    <section class="card" aria-label="Books">
      <header>
        <h2>
          {isEmpty ? 'Books' : <Go to={`/console/books/${mint}`}>Books of {book.symbol ?? 'the mint'}</Go>}
        </h2>
        {isEmpty ? null : <Status kind={BOOK_STATES[book.state][0]}>{BOOK_STATES[book.state][1]}</Status>}
      </header>
      {!asked ? (
        <Skeleton rows={3} />
      ) : books === null ? (
        <Note kind="warn">The service does not tell its books.</Note>
      ) : isEmpty ? (
        <Empty title="No deposits yet.">The first one opens the vault of its mint.</Empty>
      ) : (
        <Figures book={book} />
      )}
    </section>
  );
}

function Figures({ book }: { readonly book: MintBook }) {
  const amount = (text: string | null, size?: 'plain') =>
    text === null ? (
      <span class="dim">not read</span>
    ) : (
      <MintAmount
        base={BigInt(text)}
        mint={book.mint}
        decimals={book.decimals}
        {...(size === undefined ? {} : { size })}
      />
    );
  const small = (label: string, text: string | null) => (
    <>
      <span class="muted small">{label}</span>
      <span class="small right">{amount(text, 'plain')}</span>
    </>
  );
  return (
    <>
      {book.state === 'disagree' ? (
        <Note kind="bad">
          <b>The books differ by {amount(book.difference?.replace('-', '') ?? null)}.</b> Nothing of this mint
          is settled until it is there.
        </Note>
      ) : null}
      <div class="book">
        <span>In the vault</span>
        {amount(book.vault.amount)}
        <span>Owed to accounts</span>
        {amount(book.owed)}
        {small('on the rollup', book.onRollup)}
        {small('on the way back', book.wayBack)}
        {small('ready to take out', book.ready)}
      </div>
    </>
  );
}
