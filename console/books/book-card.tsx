import { MintAmount } from '../parts/amount.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Go } from '../parts/go.tsx';
import { shorten } from '../parts/short-text.ts';
import { Empty, Note } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { BOOK_STATES, unitsOf, type MintBook } from '../parts/book.ts';

interface BookCardProps {
  readonly book: MintBook;
  /** Whether the title links to the page of the mint. */
  readonly link?: boolean;
}

/** The books of one mint: totals of what the vault holds and owes. */
export function BookCard({ book, link = false }: BookCardProps) {
  const [kind, word] = BOOK_STATES[book.state] ?? BOOK_STATES.empty;
  const title = `Books of ${book.symbol ?? shorten(book.mint)}`;
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{link ? <Go to={`/console/books/${book.mint}`}>{title}</Go> : title}</h2>
        {book.state === 'empty' ? <span class="dim small">empty</span> : <Status kind={kind}>{word}</Status>}
      </header>
      <Trouble book={book} />
      {book.state === 'empty' ? (
        <Empty title="The vault is empty.">
          <Go class="btn" to="/console/">
            Make a deposit
          </Go>
        </Empty>
      ) : (
        <Totals book={book} />
      )}
      <p class="pad tiny dim">base ledger, slot {formatCount(BigInt(book.asOfSlot))}</p>
    </section>
  );
}

function Trouble({ book }: { readonly book: MintBook }) {
  if (book.state === 'under-way')
    return <Note kind="wait">Some rollup payments have not been settled on the base ledger yet.</Note>;
  if (book.state !== 'disagree') return null;
  const lacking = unitsOf(book.difference);
  return (
    <Note kind="bad">
      {lacking === null ? (
        <b>The vault cannot be read.</b>
      ) : (
        <b>
          The vault is <MintAmount base={lacking} mint={book.mint} decimals={book.decimals} size="plain" />{' '}
          short.
        </b>
      )}{' '}
      Settlements of this mint stop until it is fixed.
    </Note>
  );
}

function Totals({ book }: { readonly book: MintBook }) {
  const lacking = unitsOf(book.difference);
  return (
    <div class="book">
      <Line label="In the vault" text={book.vault.amount} book={book} />
      <Line label="Owed to accounts" text={book.owed} book={book} />
      <Line label="on the rollup" text={book.onRollup} book={book} small />
      <Line label="being settled" text={book.wayBack} book={book} small />
      <Line label="ready to withdraw" text={book.ready} book={book} small />
      <Line label="surplus" text={book.surplus} book={book} small />
      {lacking !== null ? (
        <>
          <b class="st bad sum">Missing</b>
          <span class="sum st bad">
            <MintAmount base={lacking} mint={book.mint} decimals={book.decimals} />
          </span>
        </>
      ) : null}
    </div>
  );
}

interface LineProps {
  readonly label: string;
  readonly text: string | null;
  readonly book: MintBook;
  readonly small?: boolean;
}

function Line({ label, text, book, small = false }: LineProps) {
  const units = unitsOf(text);
  return (
    <>
      <span class={small ? 'small muted' : ''}>{label}</span>
      <span class={small ? 'small' : ''}>
        {units === null ? (
          <span class="dim">unknown</span>
        ) : (
          <MintAmount
            base={units}
            mint={book.mint}
            decimals={book.decimals}
            {...(small ? { size: 'plain' } : {})}
          />
        )}
      </span>
    </>
  );
}
