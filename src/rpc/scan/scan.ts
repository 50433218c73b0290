import type { JsonOutput } from '../../json/json-value.ts';

/**
 * Said by a scan, once at most, when it finds that it will take long, before it does what takes memory. It
 * goes on at once if it may; otherwise it is given up and begun anew later.
 */
export const LARGE = Symbol('large');

/**
 * By how many characters the answer has grown, or {@link LARGE}. After a number others may have their turn.
 */
export type ScanStep = number | typeof LARGE;

/**
 * Work in small steps, between which the ledger may change; none but {@link LARGE} comes before all is read
 * from it.
 */
export type Steps<Result> = Generator<ScanStep, Result>;

/** A result that may take long to make. */
export class Scan {
  /**
   * Begins to make it, from the ledger as it is then. A step takes well below a millisecond, but for the one
   * that takes the snapshot, and what is thrown is what the method throws.
   */
  readonly begin: () => Steps<JsonOutput>;

  constructor(begin: () => Steps<JsonOutput>) {
    this.begin = begin;
  }
}
