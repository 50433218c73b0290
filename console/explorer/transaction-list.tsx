import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { DeedSentence } from '../history/deed-sentence.tsx';
import type { Deed } from '../history/deed.ts';
import { MintAmount, Sol } from '../parts/amount.tsx';
import { useLoaded } from '../parts/loaded.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { formatCount } from '../parts/decimal.ts';
import { LedgerMark, Status } from '../parts/status.tsx';
import { Void } from '../parts/private-amount.tsx';
import type { Feed, Reader } from '../parts/reader.ts';
import { Signature } from '../parts/signature.tsx';
import { clockTime, dateTime } from '../parts/short-text.ts';
import { deedIn, type Row } from './transactions.ts';

/** Shows whether the list is updated live. */
export function FeedState({ feed }: { readonly feed: Feed }) {
  if (feed.following) return <Status kind="live">live</Status>;
  return <Status kind="warn">polling every {formatCount(feed.behindSeconds)} s</Status>;
}

/** A row of the list, or the number of transactions that this reader cannot see. */
type Line = Row | { readonly hidden: number };

interface TransactionListProps {
  readonly reader: Reader;
  readonly rows: readonly Row[];
  /** Number of rollup transactions that this reader cannot see. */
  readonly hidden: number;
  readonly onOpen: (row: Row) => void;
  readonly onTop?: (top: boolean) => void;
}

/** A list of transactions. Details are loaded only for visible rows. */
export function TransactionList({ reader, rows, hidden, onOpen, onTop }: TransactionListProps) {
  const lines = useMemo((): readonly Line[] => (hidden === 0 ? rows : [{ hidden }, ...rows]), [rows, hidden]);
  const columns = useMemo(() => columnsFor(reader), [reader]);
  return (
    <DataTable
      label="List of transactions"
      rows={lines}
      columns={columns}
      keyOf={(line) => ('hidden' in line ? 'hidden' : line.signature)}
      rowClass={(line) => ('hidden' in line ? 'payrow' : '')}
      onOpen={(line) => ('hidden' in line ? undefined : onOpen(line))}
      {...(onTop === undefined ? {} : { onTop })}
    />
  );
}

function columnsFor(reader: Reader): readonly Column<Line>[] {
  const cell =
    (draw: (deed: Deed, row: Row) => ComponentChildren, loading: ComponentChildren = null) =>
    (line: Line) =>
      'hidden' in line ? null : <DeedCell reader={reader} row={line} draw={draw} loading={loading} />;
  return [
    {
      head: <span class="vh">Ledger</span>,
      class: 'tight',
      cell: (line) => <LedgerMark ledger={'hidden' in line ? 'rollup' : line.ledger} />,
    },
    { head: 'Time', class: 'tight dim', cell: cell((deed) => <Time seconds={deed.time} />) },
    {
      head: 'What happened',
      class: 'deed',
      cell: (line) =>
        'hidden' in line
          ? landed(line.hidden)
          : cell(
              (deed, { failed }) => (
                <>
                  <DeedSentence deed={deed} /> {failed ? <Status kind="bad">failed</Status> : null}
                </>
              ),
              <span class="sk w2 inline" />,
            )(line),
    },
    {
      head: 'Amount',
      class: 'num',
      cell: (line) => ('hidden' in line ? <Void /> : cell(amountOf(reader))(line)),
    },
    {
      head: 'Signature',
      class: 'wide',
      cell: (line) =>
        'hidden' in line ? null : <Signature signature={line.signature} ledger={line.ledger} />,
    },
    {
      head: 'Slot',
      class: 'num dim wide',
      cell: (line) => ('hidden' in line ? null : formatCount(line.slot)),
    },
  ];
}

function landed(count: number) {
  return (
    <span class="muted">
      {formatCount(count)} {count === 1 ? 'transaction' : 'transactions'}
      <span class="wide"> on the rollup that this reader cannot see</span>
    </span>
  );
}

interface DeedCellProps {
  readonly reader: Reader;
  readonly row: Row;
  readonly draw: (deed: Deed, row: Row) => ComponentChildren;
  /** Shown while the transaction loads. If null, the cell also stays empty after a failure. */
  readonly loading: ComponentChildren;
}

/** A cell that shows part of a transaction. The reader fetches each transaction once for all cells. */
function DeedCell({ reader, row, draw, loading }: DeedCellProps) {
  const deed = useLoaded(() => deedIn(reader, row.ledger, row.signature), [reader, row.signature]);
  if (deed.state === 'loading') return <>{loading}</>;
  if (deed.state === 'answered' && deed.value !== null) return <>{draw(deed.value, row)}</>;
  return loading === null ? null : <span class="dim">cannot be read</span>;
}

/** The time in UTC; the tooltip has the date. */
function Time({ seconds }: { readonly seconds: number | null }) {
  if (seconds === null) return null;
  return <time title={dateTime(seconds * 1_000)}>{clockTime(seconds * 1_000)}</time>;
}

const amountOf =
  (reader: Reader) =>
  ({ amount, mint, ledger }: Deed): ComponentChildren => {
    if (amount === null) return null;
    const figure = mint === null ? <Sol lamports={amount} /> : <MintAmount base={amount} mint={mint} />;
    return ledger === 'rollup' && reader.as === 'owner' ? <span class="own">{figure}</span> : figure;
  };
