/**
 * Whether random tests and large tables run in full, and tests that take long at all: `npm run test:long`, which CI
 * runs.
 */
export const IS_LONG = process.env['TEST_LENGTH'] === 'long';

/** How much of something a test tries. */
export const lengthOf = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  IS_LONG ? long : short;
