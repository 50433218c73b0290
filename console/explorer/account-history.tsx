import { useLoaded, Await } from '../parts/loaded.tsx';
import { Go, keepViewpoint } from '../parts/go.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import type { Reader } from '../parts/reader.ts';
import { Empty } from '../parts/states.tsx';
import { TransactionList } from './transaction-list.tsx';
import { historyOf } from './transactions.ts';

/** The transactions that name an account, on all ledgers that the reader sees. */
export function AccountHistory({ address, reader }: { readonly address: string; readonly reader: Reader }) {
  const search = useSearch();
  const loaded = useLoaded(
    () =>
      historyOf(
        reader,
        reader.ledgers.map((ledger) => [ledger, address]),
      ),
    [reader, address],
  );
  return (
    <section class="card" aria-label="Transactions">
      <header>
        <h2>Transactions</h2>
      </header>
      <Await result={loaded} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No transactions.">
              {reader.as === 'owner' ? null : 'Private transactions are not shown to this reader.'}
              <br />
              <Go class="btn" to="/console/explorer">
                Open the Explorer
              </Go>
            </Empty>
          ) : (
            <TransactionList
              reader={reader}
              rows={rows}
              hidden={0}
              onOpen={({ ledger, signature }) =>
                navigate(keepViewpoint(`/console/${ledger}/tx/${signature}`, search))
              }
            />
          )
        }
      </Await>
    </section>
  );
}
