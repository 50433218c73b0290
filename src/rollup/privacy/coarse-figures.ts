import type { EmbeddedRollup } from '../rollup.ts';

const ACCOUNTS_STEP = 1_000;
const BYTES_STEP = 1024 * 1024;

/**
 * The counters of a rollup as shown without a login. Accounts and file sizes are rounded up to whole steps,
 * because they include the receipts of private payments and the books, whose number and size show how many
 * parts a payment has. This only protects against casual observers: a count at the edge of a step reveals the
 * next account.
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
