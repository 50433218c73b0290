import { useMemo } from 'preact/hooks';
import { MintAmount, Sol } from '../parts/amount.tsx';
import { useAsked } from '../parts/asked.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { formatCount } from '../parts/decimal.ts';
import { LedgerMark, Status } from '../parts/status.tsx';
import { Void } from '../parts/private-amount.tsx';
import type { Feed, Reader } from '../parts/reader.ts';
import { Signature } from '../parts/signature.tsx';
import { deedIn, type Row } from './transactions.ts';
import { wordOf } from './words.ts';

/** Whether new rows come by themselves. */
export function FeedState({ feed }: { readonly feed: Feed }) {
  if (feed.following) return <Status kind="live">following</Status>;
  return <Status kind="warn">paused, {formatCount(feed.behindSeconds)} s behind</Status>;
}

/** A row of the list, or all that landed and that this reader is not shown. */
type Line = Row | { readonly hidden: number };

interface TransactionListProps {
  readonly reader: Reader;
  readonly rows: readonly Row[];
  /** Transactions of the rollup that this reader is not shown. */
  readonly hidden: number;
  readonly onOpen: (row: Row) => void;
  readonly onTop?: (top: boolean) => void;
}

/** Rows with what each transaction did. It is asked for those in sight alone, all at once. */
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
  return [
    {
      head: <span class="vh">Ledger</span>,
      class: 'tight',
      cell: (line) => <LedgerMark ledger={'hidden' in line ? 'rollup' : line.ledger} />,
    },
    {
      head: 'Signature',
      cell: (line) =>
        'hidden' in line ? (
          <span class="dim">not shown</span>
        ) : (
          <Signature signature={line.signature} ledger={line.ledger} />
        ),
    },
    {
      head: 'What',
      cell: (line) => ('hidden' in line ? landed(line.hidden) : <What reader={reader} row={line} />),
    },
    {
      head: 'Amount',
      class: 'num',
      cell: (line) => ('hidden' in line ? <Void /> : <Moved reader={reader} row={line} />),
    },
    { head: 'Slot', class: 'num wide', cell: (line) => ('hidden' in line ? '' : formatCount(line.slot)) },
    {
      head: <span class="vh">State</span>,
      class: 'tight',
      cell: (line) =>
        'hidden' in line ? null : (
          <Status kind={line.failed ? 'bad' : 'ok'} glyphOnly>
            {line.failed ? 'failed' : 'succeeded'}
          </Status>
        ),
    },
  ];
}

function landed(count: number) {
  return (
    <span class="muted">
      {formatCount(count)} landed<span class="wide">, all can see that</span>
    </span>
  );
}

interface CellProps {
  readonly reader: Reader;
  readonly row: Row;
}

function useDeed({ reader, row }: CellProps) {
  return useAsked(() => deedIn(reader, row.ledger, row.signature), [reader, row.signature]);
}

function What(props: CellProps) {
  const deed = useDeed(props);
  if (deed.state === 'loading') return <span class="sk w2 inline" />;
  if (deed.state === 'failed' || deed.value === null) return <span class="dim">not read</span>;
  return <span>{wordOf(deed.value.kind)}</span>;
}

function Moved(props: CellProps) {
  const deed = useDeed(props);
  if (deed.state !== 'answered' || deed.value === null || deed.value.amount === null) return null;
  const { amount, mint } = deed.value;
  const figure = mint === null ? <Sol lamports={amount} /> : <MintAmount base={amount} mint={mint} />;
  return props.row.ledger === 'rollup' && props.reader.as === 'owner' ? (
    <span class="own">{figure}</span>
  ) : (
    figure
  );
}
