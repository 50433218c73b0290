import { useLoaded } from '../parts/loaded.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Go } from '../parts/go.tsx';
import { Void } from '../parts/private-amount.tsx';
import type { Ledger, Reader } from '../parts/reader.ts';
import { shorten } from '../parts/short-text.ts';
import { Status } from '../parts/status.tsx';
import { statusOf } from './find.ts';

interface MissingProps {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly reader: Reader;
}

/** The page for a transaction that the reader cannot see. It may still show that it landed. */
export function MissingTransaction({ ledger, signature, reader }: MissingProps) {
  const status = useLoaded(
    async () => (reader.ledgers.includes(ledger) ? statusOf(reader, ledger, signature) : null),
    [reader, ledger, signature],
  );
  const landed = status.state === 'answered' ? status.value : null;
  return (
    <section class="card" aria-label="Transaction">
      <header>
        <h1 class="h2">
          Transaction <span class="dim mono">{shorten(signature, 6)}</span>
        </h1>
        <ReaderTag reader={reader} />
      </header>
      <div class="empty">
        {!reader.ledgers.includes(ledger) ? (
          <>
            <b>Nothing</b>The base ledger does not show payments on the rollup.
          </>
        ) : (
          <>
            {ledger === 'rollup' ? <Void /> : null}
            <b>{ledger === 'rollup' ? 'The rollup' : 'The base ledger'} shows no such transaction</b>
            {ledger === 'rollup' ? 'It may be private or nonexistent.' : 'It did not land, or is too old.'}
          </>
        )}
        {landed === null ? null : (
          <p class="center">
            Anyone who knows this signature can see that it landed in slot {formatCount(landed.slot)}, but not
            what it did.
          </p>
        )}
        <Go class="btn" to="/console/explorer">
          Open the Explorer
        </Go>
      </div>
    </section>
  );
}

/** The viewpoint of a reader. */
export function ReaderTag({ reader }: { readonly reader: Reader }) {
  if (reader.as === 'owner') return <Status kind="own">as the owner</Status>;
  return <Status kind="hidden">{reader.as === 'base' ? 'as the base ledger' : 'as anyone'}</Status>;
}
