import { formatCount } from '../parts/decimal.ts';
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
const WORDS: readonly (readonly [program: string, word: string])[] = [
  ['DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh invoke [1]', 'settlement'],
  ['DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh invoke [2]', 'deposit'],
  ['Magic11111111111111111111111111111111111111 invoke [1]', 'given back'],
  ['Magic11111111111111111111111111111111111111 invoke [2]', 'asked back'],
  ['SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2 invoke [1]', 'take out'],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL invoke [1]', 'faucet'],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [1]', 'transfer'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb invoke [1]', 'transfer'],
  ['11111111111111111111111111111111 invoke [1]', 'airdrop'],
];

/** What a transaction did in a word. What moves no tokens takes none out. */
export function wordOfLogs(logs: readonly string[]): string {
  const word = WORDS.find(([program]) => logs.some((line) => line.startsWith(`Program ${program}`)))?.[1];
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
