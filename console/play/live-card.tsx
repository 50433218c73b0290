import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { formatCount } from '../parts/decimal.ts';
import { PROGRAMS } from '../parts/programs.ts';
import type { Ledger, Viewpoint } from '../parts/reader.ts';
import { Signature } from '../parts/signature.tsx';
import { LedgerMark, Status } from '../parts/status.tsx';
import type { FeedState } from '../readers/feed.ts';

/** A transaction of a live feed. */
interface LiveRow {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly slot: number;
  /** One word for the transaction, from its logs. */
  readonly word: string;
  readonly hasFailed: boolean;
}

/** The parameters of `logsNotification`. */
interface LogsEvent {
  readonly context: { readonly slot: number };
  readonly value: {
    readonly signature: string;
    readonly err: unknown;
    readonly logs: readonly string[] | null;
  };
}

/** Maximum number of rows. */
const ROWS_MAX = 6;

/** Converts a notification to a row; null if it is invalid. */
export function liveRow(ledger: Ledger, event: unknown): LiveRow | null {
  if (typeof event !== 'object' || event === null || !('value' in event) || !('context' in event))
    return null;
  const { context, value } = event as LogsEvent;
  return {
    ledger,
    signature: value.signature,
    slot: context.slot,
    word: wordOfLogs(value.logs ?? []),
    hasFailed: value.err !== null,
  };
}

/** Words by program call. The first match counts. */
const WORDS: readonly (readonly [call: string, word: string])[] = [
  [`${PROGRAMS.delegation} invoke [1]`, 'settlement'],
  [`${PROGRAMS.delegation} invoke [2]`, 'deposit'],
  [`${PROGRAMS.magic} invoke [1]`, 'undelegated'],
  [`${PROGRAMS.magic} invoke [2]`, 'undelegation'],
  [`${PROGRAMS.ephemeralToken} invoke [1]`, 'withdrawal'],
  [`${PROGRAMS.associatedToken} invoke [1]`, 'faucet'],
  [`${PROGRAMS.token} invoke [1]`, 'transfer'],
  [`${PROGRAMS.token2022} invoke [1]`, 'transfer'],
  [`${PROGRAMS.system} invoke [1]`, 'airdrop'],
];

/** Describes a transaction in one word. A withdrawal must call a token program. */
export function wordOfLogs(logs: readonly string[]): string {
  const word = WORDS.find(([call]) => logs.some((line) => line.startsWith(`Program ${call}`)))?.[1];
  const moves = logs.some((line) => /^Program Token\w+ invoke/.test(line));
  return word === undefined || (word === 'withdrawal' && !moves) ? 'transaction' : word;
}

/** Adds a row on top, unless its signature is already listed. */
export function withRow(rows: readonly LiveRow[], row: LiveRow): readonly LiveRow[] {
  if (rows.some(({ signature, ledger }) => signature === row.signature && ledger === row.ledger)) return rows;
  return [row, ...rows].slice(0, ROWS_MAX);
}

/** Describes the hidden rollup transactions. `count` is null if unknown. */
export function unseenWords(count: number | null): string {
  if (count === null) return 'Rollup: count unknown';
  if (count === 0) return 'Rollup: no transactions yet';
  return `${formatCount(count)} ${count === 1 ? 'transaction' : 'transactions'}, all hidden`;
}

/** The feeds of a viewpoint: base, and the rollup without a token or with the token of each wallet. */
function sources(as: Viewpoint, owners: readonly string[]): readonly (readonly [Ledger, string | null])[] {
  if (as === 'base') return [['base', null]];
  const rollup = as === 'anyone' ? [null] : owners;
  return [['base', null], ...rollup.map((wallet): [Ledger, string | null] => ['rollup', wallet])];
}

/** The live transactions of the current viewpoint. */
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
          console.ledgerChanged(ledger);
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
        {as === 'base' ? <Quiet ledger="rollup" words="Rollup: not visible from base" /> : null}
        {as === 'anyone' && isQuiet('rollup') ? (
          <Quiet ledger="rollup" words={unseenWords(rollupCount)} />
        ) : null}
        {as === 'owner' && isQuiet('rollup') ? (
          <Quiet ledger="rollup" words="Rollup: waiting for transactions" />
        ) : null}
        {isQuiet('base') ? <Quiet ledger="base" words="Base: waiting for transactions" /> : null}
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

/** Shows whether all feeds are live. */
function FeedStatus({ states }: { readonly states: readonly FeedState[] }) {
  if (states.includes('paused')) return <Status kind="warn">polling every 3 s</Status>;
  return states.every((state) => state === 'following') ? (
    <Status kind="live">live</Status>
  ) : (
    <Status kind="wait">connecting</Status>
  );
}
