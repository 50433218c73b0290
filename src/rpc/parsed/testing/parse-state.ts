import { Float64, type JsonOutput, type JsonOutputObject } from '../../../json/write-json.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { accountWith } from '../../testing/token-accounts.ts';
import { addressFilledWith } from '../../testing/transactions.ts';
import { showParsedAccount } from '../parse-account.ts';

/** Where an account is when a test does not care. */
export const SOMEWHERE = addressFilledWith(0xaa);

/**
 * The `parsed` member of an account of `owner` with `data`, or 'not parsed'. Fails when members do not come
 * in the order of their names, in which Agave's maps keep them.
 */
export function parseState(
  owner: Address,
  data: ArrayLike<number>,
  address: Address = SOMEWHERE,
  lookUp: (address: Address) => Account | null = () => null,
): JsonOutput {
  const shown = showParsedAccount(address, accountWith(Uint8Array.from(data), owner), lookUp);
  if (shown === undefined) return 'not parsed';
  requireSorted(shown);
  return shown['parsed'] as JsonOutput;
}

/** @throws when an object within `value` has members out of order. */
export function requireSorted(value: JsonOutput | undefined): void {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return;
  if (!Array.isArray(value)) {
    const names = Object.keys(value);
    if (names.join() !== [...names].sort().join()) throw new Error(`out of order: ${names.join()}`);
  }
  for (const member of Object.values(value as JsonOutputObject)) requireSorted(member);
}
