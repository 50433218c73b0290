import { newestFirst, ROWS_MAX, type Row } from './transactions.ts';

/**
 * The rows of a live list, newest first. New rows wait until `admit`, so the list does not move while the
 * user reads further down. Signatures are unique. Only the newest `ROWS_MAX` rows are kept.
 */
export class RowList {
  #rows: readonly Row[] = [];
  /** Rows that are not shown yet, in order of arrival. */
  #waiting: Row[] = [];
  #waits = 0;
  readonly #known = new Set<string>();
  /** Whether waiting rows may belong between the shown ones. */
  #isMixed = false;

  /** The shown rows. Every change creates a new array. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Number of rows that are not shown yet. */
  get waiting(): number {
    return this.#waits;
  }

  /** Adds a row from a feed. */
  come(row: Row): void {
    if (this.#known.has(row.signature)) return;
    this.#known.add(row.signature);
    this.#waiting.push(row);
    this.#waits++;
    // Dropping half of them at once keeps the cost per row constant.
    if (this.#waiting.length > 2 * ROWS_MAX) this.#forget(this.#waiting.splice(0, ROWS_MAX));
  }

  /** Adds rows that a ledger listed. They replace known rows, because they include the time. */
  list(listed: readonly Row[]): void {
    const listedRows = new Map(listed.map((row) => [row.signature, row]));
    const latest = (row: Row): Row => listedRows.get(row.signature) ?? row;
    this.#rows = this.#rows.map(latest);
    this.#waiting = this.#waiting.map(latest);
    for (const row of listed.toReversed()) this.come(row);
    this.#isMixed = true;
  }

  /** Shows the waiting rows. */
  admit(): void {
    if (this.#waits === 0) return;
    const rows = [...this.#waiting.toReversed(), ...this.#rows];
    if (this.#isMixed) rows.sort(newestFirst);
    this.#forget(rows.splice(ROWS_MAX));
    this.#rows = rows;
    this.#waiting = [];
    this.#waits = 0;
    this.#isMixed = false;
  }

  #forget(rows: readonly Row[]): void {
    for (const { signature } of rows) this.#known.delete(signature);
  }
}
