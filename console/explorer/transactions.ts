import type { Deed } from '../history/deed.ts';
import { PARSED, type ParsedTransaction } from '../history/parsed-transaction.ts';
import { PROGRAMS } from '../parts/programs.ts';
import { wordsOf } from '../parts/loaded.tsx';
import type { Ledger, Reader } from '../parts/reader.ts';
import { readDeed, type FullTransaction } from './full-transaction.ts';

/** Maximum signatures in one response (Agave MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT). */
const LISTED = 1_000;

/** Maximum rows in a list. Older transactions are found by signature. */
export const ROWS_MAX = 10_000;

/** Every transaction names one of these programs, so their histories cover the whole ledger. */
const { system, token, token2022, computeBudget } = PROGRAMS;
const EVERYWHERE = [system, token, token2022, computeBudget];

/** One line of the list, before its transaction is loaded. */
export interface Row {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; null if unknown. */
  readonly time: number | null;
  readonly failed: boolean;
}

/** The transactions of both ledgers that one reader can see. */
export interface Listed {
  /** The rows, newest first. */
  readonly rows: readonly Row[];
  /** Number of rollup transactions that this reader cannot see. */
  readonly hidden: number;
  /** Error messages of ledgers that did not answer. */
  readonly failed: readonly string[];
}

interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  readonly blockTime: number | null;
}

/**
 * Lists the newest transactions of the ledgers that a reader sees.
 *
 * @param programs addresses of the private payment programs.
 * @param isWhole whether to list every transaction of the base ledger. Only a local ledger is small enough.
 */
export async function listTransactions(
  reader: Reader,
  programs: readonly string[],
  isWhole: boolean,
): Promise<Listed> {
  const whole = [...new Set([...EVERYWHERE, ...programs])];
  const [{ rows, failed }, landed] = await Promise.all([
    historyOf(
      reader,
      reader.ledgers.flatMap((ledger) =>
        (ledger === 'rollup' || isWhole ? whole : programs).map((address) => [ledger, address] as const),
      ),
    ),
    reader.ledgers.includes('rollup')
      ? reader.call<number>('rollup', 'getTransactionCount').catch(() => 0)
      : 0,
  ]);
  const shown = rows.filter(({ ledger }) => ledger === 'rollup').length;
  return { rows, failed, hidden: Math.max(landed - shown, 0) };
}

/** The newest transactions that name any of the accounts, without duplicates. */
export async function historyOf(
  reader: Reader,
  accounts: readonly (readonly [Ledger, address: string])[],
): Promise<Omit<Listed, 'hidden'>> {
  const rows = new Map<string, Row>();
  const failed = new Set<string>();
  const read = async ([ledger, address]: readonly [Ledger, string]): Promise<void> => {
    const params = [address, { limit: LISTED }];
    try {
      const entries = await reader.call<readonly SignatureEntry[]>(ledger, 'getSignaturesForAddress', params);
      for (const { signature, slot, err, blockTime } of entries)
        rows.set(signature, { ledger, signature, slot, time: blockTime, failed: err !== null });
    } catch (error) {
      failed.add(`${ledger === 'base' ? 'Base ledger' : 'Rollup'}: ${wordsOf(error)}`);
    }
  };
  await Promise.all(accounts.map(read));
  return { rows: [...rows.values()].sort(newestFirst).slice(0, ROWS_MAX), failed: [...failed] };
}

/** Orders by time, because slots of two ledgers cannot be compared. Rows without a time have just arrived. */
export function newestFirst(one: Row, other: Row): number {
  const later = (other.time ?? Infinity) - (one.time ?? Infinity);
  if (later !== 0 && !Number.isNaN(later)) return later;
  return one.ledger === other.ledger ? other.slot - one.slot : one.ledger === 'rollup' ? -1 : 1;
}

/** Filters of the list, stored in the URL. */
export interface Filters {
  readonly ledger: Ledger | null;
  readonly failed: boolean;
}

export function readFilters(search: string): Filters {
  const query = new URLSearchParams(search);
  const ledger = query.get('ledger');
  return {
    ledger: ledger === 'base' || ledger === 'rollup' ? ledger : null,
    failed: query.get('failed') === '1',
  };
}

export function filterRows(rows: readonly Row[], { ledger, failed }: Filters): readonly Row[] {
  if (ledger === null && !failed) return rows;
  return rows.filter((row) => (ledger === null || row.ledger === ledger) && (!failed || row.failed));
}

/**
 * Loads a transaction; null if the reader cannot see it.
 *
 * @throws {Error} with the ledger's message if the request fails.
 */
export const transactionOf = (
  reader: Reader,
  ledger: Ledger,
  signature: string,
): Promise<ParsedTransaction | null> =>
  reader.known(ledger, 'getTransaction', [signature, { ...PARSED, commitment: 'confirmed' }]);

/** Loads and describes a transaction; null if the reader cannot see it. */
export async function deedIn(reader: Reader, ledger: Ledger, signature: string): Promise<Deed | null> {
  const transaction = await transactionOf(reader, ledger, signature);
  return transaction === null ? null : readDeed(ledger, transaction as FullTransaction);
}
