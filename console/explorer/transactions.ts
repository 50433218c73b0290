import type { Deed } from '../history/deed.ts';
import { PARSED, type ParsedTransaction } from '../history/parsed-transaction.ts';
import { PROGRAMS } from '../parts/programs.ts';
import type { Ledger, LedgerCall, Reader } from '../parts/reader.ts';
import { readDeed, type FullTransaction } from './full-transaction.ts';

/** Transactions that a ledger lists in one answer (Agave MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT). */
const LISTED = 1_000;

/** Rows that a list holds; older ones are found by their signature. */
export const ROWS_MAX = 10_000;

/** Programs of which every transaction names one: their histories together are that of the ledger. */
const { system, token, token2022, computeBudget } = PROGRAMS;
const EVERYWHERE = [system, token, token2022, computeBudget];

/** One line of the list, before its transaction is asked for. */
export interface Row {
  readonly ledger: Ledger;
  readonly signature: string;
  readonly slot: number;
  /** Seconds since 1970; null where the ledger has not said. */
  readonly time: number | null;
  readonly failed: boolean;
}

/** What one reader is told of the transactions of both ledgers. */
export interface Listed {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** Transactions that landed on the rollup and that this reader is not shown. */
  readonly hidden: number;
  /** Ledgers that did not answer, with their words. */
  readonly failed: readonly string[];
}

interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  readonly blockTime: number | null;
}

/**
 * Asks for the newest transactions of the ledgers that a reader sees.
 *
 * @param programs of private payments, by address.
 * @param isWhole whether the base ledger is small enough to list all of it: this program's own is, a cluster's is not.
 */
export async function listTransactions(
  reader: Reader,
  programs: readonly string[],
  isWhole: boolean,
): Promise<Listed> {
  const base = isWhole ? [...new Set([...EVERYWHERE, ...programs])] : programs;
  const calls: LedgerCall[] = base.map((address) => history('base', address));
  if (reader.as !== 'base') {
    calls.push(...[...new Set([...EVERYWHERE, ...programs])].map((address) => history('rollup', address)));
    calls.push({ ledger: 'rollup', method: 'getTransactionCount' });
  }
  const answers = await reader.batch(calls);
  const rows = new Map<string, Row>();
  const failed = new Set<string>();
  answers.forEach((answer, at) => {
    const call = calls[at];
    if (call === undefined || call.method === 'getTransactionCount') return;
    if (!answer.ok) failed.add(`${call.ledger === 'base' ? 'Base ledger' : 'Rollup'}: ${answer.message}`);
    else for (const row of rowsOf(call.ledger, answer.result)) rows.set(row.signature, row);
  });
  const sorted = [...rows.values()].sort(newestFirst).slice(0, ROWS_MAX);
  const count = calls.at(-1)?.method === 'getTransactionCount' ? answers.at(-1) : undefined;
  const shown = sorted.filter(({ ledger }) => ledger === 'rollup').length;
  const landed = count?.ok === true && typeof count.result === 'number' ? count.result : shown;
  return { rows: sorted, hidden: Math.max(landed - shown, 0), failed: [...failed] };
}

/** The newest transactions that name an account, on the ledgers that a reader sees. */
export async function historyOf(reader: Reader, address: string): Promise<Listed> {
  const calls = [history('base', address), ...(reader.as === 'base' ? [] : [history('rollup', address)])];
  const answers = await reader.batch(calls);
  const rows = answers.flatMap((answer, at) =>
    answer.ok ? rowsOf(calls[at]?.ledger ?? 'base', answer.result) : [],
  );
  return { rows: rows.sort(newestFirst), hidden: 0, failed: [] };
}

function history(ledger: Ledger, address: string): LedgerCall {
  return { ledger, method: 'getSignaturesForAddress', params: [address, { limit: LISTED }] };
}

function rowsOf(ledger: Ledger, result: unknown): Row[] {
  if (!Array.isArray(result)) return [];
  return (result as readonly SignatureEntry[]).map(({ signature, slot, err, blockTime }) => ({
    ledger,
    signature,
    slot,
    time: blockTime,
    failed: err !== null,
  }));
}

/** By time; slots of two ledgers say nothing of each other. What has no time yet has just come. */
export function newestFirst(one: Row, other: Row): number {
  const later = (other.time ?? Infinity) - (one.time ?? Infinity);
  if (later !== 0 && !Number.isNaN(later)) return later;
  return one.ledger === other.ledger ? other.slot - one.slot : one.ledger === 'rollup' ? -1 : 1;
}

/** What a list shows of all rows: the part of its URL. */
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

/** @returns the search part of a URL with other filters; what else is in it stays. */
export function writeFilters(search: string, filters: Filters): string {
  const query = new URLSearchParams(search);
  query.delete('ledger');
  query.delete('failed');
  if (filters.ledger !== null) query.set('ledger', filters.ledger);
  if (filters.failed) query.set('failed', '1');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

export function filterRows(rows: readonly Row[], { ledger, failed }: Filters): readonly Row[] {
  if (ledger === null && !failed) return rows;
  return rows.filter((row) => (ledger === null || row.ledger === ledger) && (!failed || row.failed));
}

/** Answers that are kept for each reader: some screens of rows. */
const KNOWN_MAX = 500;

/** Answers of each reader, in the order in which they were asked for; they go with it. */
const known = new WeakMap<Reader, Map<string, Promise<ParsedTransaction | null>>>();

interface Waiting {
  readonly call: LedgerCall;
  readonly resolve: (transaction: ParsedTransaction | null) => void;
  readonly reject: (error: Error) => void;
}

/** Questions of this turn, which go out in one batch. */
const waiting = new WeakMap<Reader, Waiting[]>();

/**
 * A transaction as one reader is told of it, null where there is none for it. Questions of the same turn are one
 * call; what is known is not asked again, as it never changes.
 *
 * @throws {Error} with the ledger's words if it does not answer.
 */
export function transactionOf(
  reader: Reader,
  ledger: Ledger,
  signature: string,
): Promise<ParsedTransaction | null> {
  const answers = known.get(reader) ?? new Map<string, Promise<ParsedTransaction | null>>();
  known.set(reader, answers);
  const key = `${ledger} ${signature}`;
  const before = answers.get(key);
  if (before !== undefined) return before;
  const asked = new Promise<ParsedTransaction | null>((resolve, reject) => {
    const call = {
      ledger,
      method: 'getTransaction',
      params: [signature, { ...PARSED, commitment: 'confirmed' }],
    };
    const turn = waiting.get(reader);
    if (turn !== undefined) return void turn.push({ call, resolve, reject });
    waiting.set(reader, [{ call, resolve, reject }]);
    queueMicrotask(() => void flush(reader));
  });
  answers.set(key, asked);
  for (const oldest of answers.keys()) {
    if (answers.size <= KNOWN_MAX) break;
    answers.delete(oldest);
  }
  // What is not there may come: a row is told of before its slot is over.
  const forget = () => (answers.get(key) === asked ? answers.delete(key) : undefined);
  asked.then((transaction) => (transaction === null ? forget() : undefined), forget);
  return asked;
}

async function flush(reader: Reader): Promise<void> {
  const turn = waiting.get(reader) ?? [];
  waiting.delete(reader);
  try {
    const answers = await reader.batch(turn.map(({ call }) => call));
    turn.forEach(({ resolve, reject }, at) => {
      const answer = answers[at];
      if (answer?.ok === true) resolve(answer.result as ParsedTransaction | null);
      else reject(new Error(answer?.message ?? 'no answer'));
    });
  } catch (error) {
    for (const { reject } of turn) reject(error instanceof Error ? error : new Error('no answer'));
  }
}

/** What a transaction did, in the words of a payment. */
export async function deedIn(reader: Reader, ledger: Ledger, signature: string): Promise<Deed | null> {
  const transaction = await transactionOf(reader, ledger, signature);
  return transaction === null ? null : readDeed(ledger, transaction as FullTransaction);
}
