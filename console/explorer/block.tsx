import { useLoaded, Await } from '../parts/loaded.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Go, keepViewpoint } from '../parts/go.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { LedgerMark } from '../parts/status.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import type { Ledger, Reader } from '../parts/reader.ts';
import { Empty } from '../parts/states.tsx';
import { clockTime } from '../parts/short-text.ts';
import { ReaderTag } from './missing.tsx';
import { TransactionList } from './transaction-list.tsx';
import type { Row } from './transactions.ts';

interface BlockViewProps {
  readonly ledger: Ledger;
  /** The slot in the URL. */
  readonly slot: string;
  readonly reader: Reader;
}

interface Block {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockHeight: number | null;
  readonly blockTime: number | null;
  readonly transactions: readonly {
    readonly transaction: { readonly signatures: readonly string[] };
    readonly meta: { readonly err: unknown } | null;
  }[];
}

/** One block with the transactions that the reader can see. */
export function BlockView({ ledger, slot, reader }: BlockViewProps) {
  const loaded = useLoaded(() => askBlock(ledger, slot, reader), [reader, ledger, slot]);
  return (
    <section class="card" aria-label="Block">
      <header>
        <LedgerMark ledger={ledger} />
        <h1 class="h2">
          Block of slot{' '}
          <span class="nowrap">{/^\d{1,20}$/.test(slot) ? formatCount(BigInt(slot)) : '?'}</span>
        </h1>
        <ReaderTag reader={reader} />
      </header>
      <Await result={loaded} rows={4}>
        {(block) =>
          block === null ? (
            <Empty title="No block.">
              The base ledger does not show blocks of the rollup.
              <br />
              <Go class="btn" to="/console/explorer">
                Open the Explorer
              </Go>
            </Empty>
          ) : (
            <Shown ledger={ledger} slot={slot} reader={reader} block={block} />
          )
        }
      </Await>
    </section>
  );
}

async function askBlock(ledger: Ledger, slot: string, reader: Reader): Promise<Block | null> {
  if (!reader.ledgers.includes(ledger)) return null;
  if (!/^\d{1,15}$/.test(slot)) throw new Error('A slot must be a whole number.');
  const options = {
    encoding: 'json',
    maxSupportedTransactionVersion: 1,
    rewards: false,
    commitment: 'confirmed',
  };
  return reader.call<Block | null>(ledger, 'getBlock', [Number(slot), options]);
}

function Shown({ ledger, slot, reader, block }: BlockViewProps & { readonly block: Block }) {
  const search = useSearch();
  const rows = block.transactions.flatMap(({ transaction, meta }): Row[] => {
    const signature = transaction.signatures[0];
    if (signature === undefined) return [];
    return [
      { ledger, signature, slot: Number(slot), time: block.blockTime, failed: (meta?.err ?? null) !== null },
    ];
  });
  return (
    <>
      <div class="pad">
        <KeyValue
          rows={[
            ['Hash', <span class="mono">{block.blockhash}</span>],
            [
              'Parent',
              <Go to={`/console/${ledger}/block/${block.parentSlot}`}>
                slot {formatCount(block.parentSlot)}
              </Go>,
            ],
            ['Height', block.blockHeight === null ? 'unknown' : formatCount(block.blockHeight)],
            ['Time', block.blockTime === null ? 'unknown' : `${clockTime(block.blockTime * 1000)} UTC`],
            ['Transactions', `${formatCount(rows.length)} visible to this reader`],
          ]}
        />
      </div>
      {rows.length === 0 ? null : (
        <TransactionList
          reader={reader}
          rows={rows}
          hidden={0}
          onOpen={({ signature }) => navigate(keepViewpoint(`/console/${ledger}/tx/${signature}`, search))}
        />
      )}
    </>
  );
}
