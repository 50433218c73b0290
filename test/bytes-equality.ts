import { expect } from 'vitest';

let isAdded = false;

const bothBytes = (one: unknown, other: unknown): one is Uint8Array =>
  one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor;

/**
 * Has `toEqual` and its like compare bytes at once: one by one, those of accounts and histories take tens of
 * seconds of a whole run. Files that run in one process share it.
 */
export function compareBytesAtOnce(): void {
  if (isAdded) return;
  isAdded = true;
  expect.addEqualityTesters([
    (one: unknown, other: unknown) =>
      bothBytes(one, other) ? Buffer.compare(one, other as Uint8Array) === 0 : undefined,
  ]);
}
