import { useConsole } from '../context/console.ts';
import { useLatest } from '../context/use-latest.ts';
import { Copy } from '../parts/copy.tsx';
import { formatCount } from '../parts/decimal.ts';
import { Go } from '../parts/go.tsx';
import { Void } from '../parts/private-amount.tsx';
import { shorten } from '../parts/short-text.ts';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { readStatus } from './life-facts.ts';

/** The page for a signature whose parties are not logged in: it shows only that the transaction landed. */
export function Stranger({ signature }: { readonly signature: string }) {
  const console = useConsole();
  const as = console.viewpoint.value;
  const loaded = useLatest(`${as} ${signature}`, console.epoch.value, async () => ({
    status: as === 'base' ? null : await readStatus(console.readers, signature),
  }));
  const status = loaded?.status ?? null;
  return (
    <>
      <div class="head">
        <div>
          <h1>Life of a payment</h1>
          <p>
            Payment <span class="mono">{shorten(signature, 6)}</span>{' '}
            <Copy text={signature} what="signature" />
          </p>
        </div>
        {status === null ? null : (
          <Status kind={status.hasFailed ? 'bad' : 'ok'}>
            {status.hasFailed ? 'failed' : 'landed'} in slot {formatCount(status.slot)}
          </Status>
        )}
      </div>
      <section class="card" aria-label="Steps">
        <Empty title="Steps on the rollup are hidden from this reader.">
          <Void place="balance" />
          <br />
          {status === null
            ? 'No ledger shows this signature. It may be private or nonexistent.'
            : 'It landed. Only its parties can read who paid whom, how much and why.'}
          <br />
          <Go class="btn" to="/console/explorer">
            Open the Explorer
          </Go>
        </Empty>
      </section>
    </>
  );
}
