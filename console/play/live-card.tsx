import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { formatCount } from '../parts/decimal.ts';
import { LedgerMark } from '../parts/ledger-mark.tsx';
import type { Ledger, Viewpoint } from '../parts/reader.ts';
import { Signature } from '../parts/signature.tsx';
import { Status } from '../parts/status.tsx';
import type { FeedState } from '../readers/feed.ts';
import { liveRow, unseenWords, withRow, type LiveRow } from './live.ts';

/** Which feeds a viewpoint follows: base, and of the rollup what it may see, each wallet by its own token. */
function sources(as: Viewpoint, owners: readonly string[]): readonly (readonly [Ledger, string | null])[] {
  if (as === 'base') return [['base', null]];
  const rollup = as === 'anybody' ? [null] : owners;
  return [['base', null], ...rollup.map((wallet): [Ledger, string | null] => ['rollup', wallet])];
}

/** What lands, as it lands, as one reader is told. */
export function LiveCard({ rollupCount }: { readonly rollupCount: number | null }) {
  const console = useConsole();
  const as = console.viewpoint.value;
  const owners = console.owners.value;
  const [rows, setRows] = useState<readonly LiveRow[]>([]);
  const who = `${as} ${owners.join(' ')}`;
  useEffect(() => {
    setRows([]);
    const ends = sources(as, owners).map(([ledger, wallet]) =>
      console.feeds
        .of(ledger, wallet)
        .subscribe('logsSubscribe', ['all', { commitment: 'confirmed' }], (event) => {
          console.heard(ledger);
          const row = event === undefined ? null : liveRow(ledger, event);
          if (row !== null) setRows((former) => withRow(former, row));
        }),
    );
    return () => {
      for (const end of ends) end();
    };
  }, [who]);
  const states = sources(as, owners).map(([ledger, wallet]) => console.feeds.of(ledger, wallet).state.value);
  const isQuiet = (ledger: Ledger): boolean => !rows.some((row) => row.ledger === ledger);
  return (
    <section class="card" aria-label="Live">
      <header>
        <h2>Live</h2>
        <FeedStatus states={states} />
      </header>
      <ul class="list feed">
        {as === 'base' ? <Quiet ledger="rollup" words="not on base" /> : null}
        {as === 'anybody' && isQuiet('rollup') ? (
          <Quiet ledger="rollup" words={unseenWords(rollupCount)} />
        ) : null}
        {as === 'owner' && isQuiet('rollup') ? (
          <Quiet ledger="rollup" words="Rollup, nothing since you look" />
        ) : null}
        {isQuiet('base') ? <Quiet ledger="base" words="Base, nothing since you look" /> : null}
        {rows.map((row) => (
          <li class="new" key={`${row.ledger} ${row.signature}`}>
            <LedgerMark ledger={row.ledger} />
            <span>
              {row.word} <Signature signature={row.signature} ledger={row.ledger} />{' '}
              {row.hasFailed ? <Status kind="bad">failed</Status> : null}
            </span>
            <span class="dim">{formatCount(row.slot)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Quiet({ ledger, words }: { readonly ledger: Ledger; readonly words: string }) {
  return (
    <li class={ledger === 'rollup' ? 'ghostrow' : ''}>
      <LedgerMark ledger={ledger} />
      <span class="dim">{words}</span>
      <span />
    </li>
  );
}

/** Whether all feeds follow; one that does not is told. */
export function FeedStatus({ states }: { readonly states: readonly FeedState[] }) {
  if (states.includes('paused')) return <Status kind="warn">paused, 3 s behind</Status>;
  return states.every((state) => state === 'following') ? (
    <Status kind="live">following</Status>
  ) : (
    <Status kind="wait">connecting</Status>
  );
}
