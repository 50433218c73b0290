import type { JsonOutput } from '../../json/json-value.ts';

/**
 * Yielded at most once by a scan that turns out to be slow, before it allocates memory. It either continues
 * at once, or is abandoned and started again later.
 */
export const LARGE = Symbol('large');

/**
 * The number of characters by which the answer has grown, or {@link LARGE}. After a number other requests may
 * run.
 */
export type ScanStep = number | typeof LARGE;

/**
 * Work in small steps, between which the ledger may change. Until everything is read from the ledger, only
 * {@link LARGE} is yielded.
 */
export type Steps<Result> = Generator<ScanStep, Result>;

/** A result that may be slow to produce. */
export class Scan<Result = JsonOutput> {
  /**
   * Starts producing it from the present state of the ledger. A step takes well below a millisecond, except
   * the one that takes the snapshot. An exception is that of the method.
   */
  readonly begin: () => Steps<Result>;

  constructor(begin: () => Steps<Result>) {
    this.begin = begin;
  }
}
