import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button, Chip } from '../parts/button.tsx';
import type { ConsoleState } from '../../src/console/answers.ts';
import { formatCount } from '../parts/decimal.ts';
import { Go, keepViewpoint } from '../parts/go.tsx';
import { LedgerMark } from '../parts/status.tsx';
import { navigate, useSearch, searchOf } from '../parts/location.ts';
import type { Reader } from '../parts/reader.ts';
import { Empty, Note, Skeleton } from '../parts/states.tsx';
import { useLive, type Live } from './live.ts';
import { FeedState, TransactionList } from './transaction-list.tsx';
import {
  filterRows,
  listTransactions,
  readFilters,
  ROWS_MAX,
  type Filters,
  type Row,
} from './transactions.ts';

interface ExplorerProps {
  readonly reader: Reader;
  readonly state: ConsoleState | null;
}

/** The transactions that one reader sees on both ledgers, newest first, updated live. */
export function Explorer({ reader, state }: ExplorerProps) {
  const filters = readFilters(useSearch());
  const [isTop, setTop] = useState(true);
  const programs = state?.base.programs.map(({ address }) => address) ?? [];
  const live = useLive(
    reader,
    // A reset ledger has a new genesis hash, which starts a new list.
    state === null ? null : (state.base.genesisHash ?? ''),
    () => listTransactions(reader, programs, state?.play === true),
    isTop,
  );
  // A new list starts at its top.
  useEffect(() => setTop(true), [live.list]);
  return (
    <>
      <div class="head">
        <div>
          <h1>Explorer</h1>
          <p>
            {reader.as === 'base'
              ? 'Transactions of the base ledger as they land.'
              : 'Transactions of both ledgers as they land.'}
          </p>
        </div>
        <FilterChips filters={filters} reader={reader} />
      </div>
      <section class="card" aria-label="Transactions">
        {live.listed === null ? (
          <>
            <header>
              <h2>Transactions</h2>
            </header>
            {live.fault === null ? <Skeleton rows={8} /> : <Note kind="bad">{live.fault}</Note>}
          </>
        ) : (
          <Transactions reader={reader} live={live} listed={live.listed} filters={filters} onTop={setTop} />
        )}
      </section>
    </>
  );
}

function FilterChips({ filters, reader }: { readonly filters: Filters; readonly reader: Reader }) {
  const search = useSearch();
  const choose = (change: Partial<Filters>) =>
    navigate(keepViewpoint(`/console/explorer${searchOf({ ...filters, ...change })}`, search), {
      replace: true,
    });
  return (
    <div class="row wrap chips" role="group" aria-label="Filters">
      {reader.as === 'base' ? null : (
        <>
          <Chip on={filters.ledger === null} onClick={() => choose({ ledger: null })}>
            Both ledgers
          </Chip>
          <Chip on={filters.ledger === 'base'} onClick={() => choose({ ledger: 'base' })}>
            <LedgerMark ledger="base" />
            Base
          </Chip>
          <Chip on={filters.ledger === 'rollup'} onClick={() => choose({ ledger: 'rollup' })}>
            <LedgerMark ledger="rollup" />
            Rollup
          </Chip>
        </>
      )}
      <Chip on={filters.failed} onClick={() => choose({ failed: !filters.failed })}>
        Failed only
      </Chip>
    </div>
  );
}

interface TransactionsProps {
  readonly reader: Reader;
  readonly live: Live;
  readonly listed: NonNullable<Live['listed']>;
  readonly filters: Filters;
  readonly onTop: (top: boolean) => void;
}

function Transactions({ reader, live: { list, feed }, listed, filters, onTop }: TransactionsProps) {
  const search = useSearch();
  const rows = useMemo(() => filterRows(list.rows, filters), [list.rows, filters.ledger, filters.failed]);
  const hidden = filters.failed || filters.ledger === 'base' ? 0 : listed.hidden;
  const showNewest = () => {
    document.querySelector('.rows')?.scrollTo(0, 0);
    onTop(true);
  };
  const open = ({ ledger, signature }: Row) =>
    navigate(keepViewpoint(`/console/${ledger}/tx/${signature}`, search));
  return (
    <>
      <header>
        <h2>Transactions</h2>
        {list.waiting > 0 ? (
          <button class="chip" type="button" onClick={showNewest}>
            {formatCount(list.waiting)} new
          </button>
        ) : null}
        <FeedState feed={feed} />
      </header>
      {listed.failed.map((words) => (
        <Note kind="bad" key={words}>
          {words}
        </Note>
      ))}
      {rows.length === 0 && hidden === 0 ? (
        <Nothing filters={filters} />
      ) : (
        <TransactionList reader={reader} rows={rows} hidden={hidden} onOpen={open} onTop={onTop} />
      )}
      <p class="pad small dim">{footOf(rows.length)}</p>
    </>
  );
}

function Nothing({ filters }: { readonly filters: Filters }) {
  const search = useSearch();
  if (filters.failed || filters.ledger !== null) {
    return (
      <Empty title={filters.failed ? 'No failed transactions.' : 'No transactions here.'}>
        <Button onClick={() => navigate(keepViewpoint('/console/explorer', search), { replace: true })}>
          Show all
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title="No transactions yet.">
      <Go class="btn main" to="/console/">
        Start the tour
      </Go>
    </Empty>
  );
}

function footOf(count: number): string {
  if (count >= ROWS_MAX)
    return `The newest ${formatCount(ROWS_MAX)} transactions. Search by signature for older ones.`;
  return `${formatCount(count)} ${count === 1 ? 'transaction' : 'transactions'}.`;
}
