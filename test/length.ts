/**
 * Whether random tests and large tables run in full, and tests that take long at all: `npm run test:long`, which CI
 * runs.
 */
export const IS_LONG = process.env['TEST_LENGTH'] === 'long';

/** All cases in the long form, the first `count` in the short one. */
export const inShortForm = <T>(count: number, cases: readonly T[]): readonly T[] =>
  IS_LONG ? cases : cases.slice(0, count);

/** How much of something a test tries. */
export const lengthOf = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  IS_LONG ? long : short;
