import { expect } from 'vitest';

let isAdded = false;

const bothBytes = (one: unknown, other: unknown): one is Uint8Array =>
  one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor;

/**
 * Makes `toEqual` and similar matchers compare byte arrays as a whole. Comparing single bytes costs tens of
 * seconds per test run. Applies to all files of a process.
 */
export function compareBytesAtOnce(): void {
  if (isAdded) return;
  isAdded = true;
  expect.addEqualityTesters([
    (one: unknown, other: unknown) =>
      bothBytes(one, other) ? Buffer.compare(one, other as Uint8Array) === 0 : undefined,
  ]);
}
