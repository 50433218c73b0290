import { formatCount } from '../parts/decimal.ts';
import { PROGRAMS } from '../parts/programs.ts';
import type { Ledger } from '../parts/reader.ts';

/** A transaction of a live feed. */
export interface LiveRow {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly slot: number;
  /** What it did in a word, from its log. */
  readonly word: string;
  readonly hasFailed: boolean;
}

/** What `logsNotification` has. */
interface LogsEvent {
  readonly context: { readonly slot: number };
  readonly value: {
    readonly signature: string;
    readonly err: unknown;
    readonly logs: readonly string[] | null;
  };
}

/** Rows that are kept. */
const ROWS_MAX = 6;

/** The row of a notification; null where it is none. */
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

/** Programs by what their transactions are mostly for, the telling ones first. */
const WORDS: readonly (readonly [call: string, word: string])[] = [
  [`${PROGRAMS.delegation} invoke [1]`, 'settlement'],
  [`${PROGRAMS.delegation} invoke [2]`, 'deposit'],
  [`${PROGRAMS.magic} invoke [1]`, 'given back'],
  [`${PROGRAMS.magic} invoke [2]`, 'asked back'],
  [`${PROGRAMS.ephemeralToken} invoke [1]`, 'take out'],
  [`${PROGRAMS.associatedToken} invoke [1]`, 'faucet'],
  [`${PROGRAMS.token} invoke [1]`, 'transfer'],
  [`${PROGRAMS.token2022} invoke [1]`, 'transfer'],
  [`${PROGRAMS.system} invoke [1]`, 'airdrop'],
];

/** What a transaction did in a word. What moves no tokens takes none out. */
export function wordOfLogs(logs: readonly string[]): string {
  const word = WORDS.find(([call]) => logs.some((line) => line.startsWith(`Program ${call}`)))?.[1];
  const moves = logs.some((line) => /^Program Token\w+ invoke/.test(line));
  return word === undefined || (word === 'take out' && !moves) ? 'transaction' : word;
}

/** The rows with another on top; a signature that is there already stays where it is. */
export function withRow(rows: readonly LiveRow[], row: LiveRow): readonly LiveRow[] {
  if (rows.some(({ signature, ledger }) => signature === row.signature && ledger === row.ledger)) return rows;
  return [row, ...rows].slice(0, ROWS_MAX);
}

/** What stands in place of the rollup's transactions that nobody is shown; null for a count that is not known. */
export function unseenWords(count: number | null): string {
  if (count === null) return 'Rollup, its count is not known';
  if (count === 0) return 'Rollup, nothing landed yet';
  return `${formatCount(count)} ${count === 1 ? 'transaction' : 'transactions'} in all, none shown`;
}
