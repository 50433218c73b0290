import type { EmbeddedRollup } from '../rollup.ts';

const ACCOUNTS_STEP = 1_000;
const BYTES_STEP = 1024 * 1024;

/**
 * The figures of a rollup as they may be told without a login: what accounts and files take up is rounded up
 * to whole steps. The receipt of a private payment and the entries of the books are among them, whose number
 * and sizes tell in how many parts somebody pays. It keeps that from whoever only looks: at the edge of a
 * step the next account shows.
 */
export function coarseFigures(figures: EmbeddedRollup['figures']): EmbeddedRollup['figures'] {
  return {
    head: () => figures.head(),
    accountCount: () => roundedUp(figures.accountCount(), ACCOUNTS_STEP),
    accountsBytes: () => roundedUp(figures.accountsBytes(), BYTES_STEP),
    get accountsBytesMax() {
      return figures.accountsBytesMax;
    },
    transactionCount: () => figures.transactionCount(),
    storeBytes: () => roundedUp(figures.storeBytes(), BYTES_STEP),
  };
}

const roundedUp = (value: number, step: number): number => Math.ceil(value / step) * step;
