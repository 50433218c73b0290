/** Whether all tests run at full length, as in CI: `npm run test:long`. */
export const IS_LONG = process.env['TEST_LENGTH'] === 'long';

/** Returns all cases in the long form, the first `count` in the short one. */
export const inShortForm = <T>(count: number, cases: readonly T[]): readonly T[] =>
  IS_LONG ? cases : cases.slice(0, count);

/** Selects the length of a test. */
export const lengthOf = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  IS_LONG ? long : short;
