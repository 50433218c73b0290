import { newestFirst, ROWS_MAX, type Row } from './transactions.ts';

/**
 * The rows of a list, newest first: what was listed, and what came since. A row that comes waits until it is
 * admitted, so that nothing moves under whoever reads further down. No signature is in it twice, and of the
 * rows shown and of those that wait no more than the newest are kept.
 */
export class RowList {
  #rows: readonly Row[] = [];
  /** In the order in which they came. */
  #waiting: Row[] = [];
  #waits = 0;
  readonly #known = new Set<string>();
  /** Whether rows were listed that may belong between others. */
  #isMixed = false;

  /** Those that are shown; another array when they change. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** How many came that are not shown yet. */
  get waiting(): number {
    return this.#waits;
  }

  /** Takes a row of a feed. */
  come(row: Row): void {
    if (this.#known.has(row.signature)) return;
    this.#known.add(row.signature);
    this.#waiting.push(row);
    this.#waits++;
    // Half of them at once: a row that comes then costs the same however many wait.
    if (this.#waiting.length > 2 * ROWS_MAX) this.#forget(this.#waiting.splice(0, ROWS_MAX));
  }

  /** Takes what a ledger lists: what it has of known rows counts, as it tells their time. */
  list(listed: readonly Row[]): void {
    const listedRows = new Map(listed.map((row) => [row.signature, row]));
    const latest = (row: Row): Row => listedRows.get(row.signature) ?? row;
    this.#rows = this.#rows.map(latest);
    this.#waiting = this.#waiting.map(latest);
    for (const row of listed.toReversed()) this.come(row);
    this.#isMixed = true;
  }

  /** Shows what waits: on top, or where it belongs. */
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
