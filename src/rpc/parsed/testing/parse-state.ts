import { Float64, type JsonOutput, type JsonOutputObject } from '../../../json/write-json.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { accountWith } from '../../testing/token-accounts.ts';
import { addressFilledWith } from '../../testing/transactions.ts';
import { showParsedAccount } from '../parse-account.ts';

/** The address of accounts in tests that do not depend on it. */
export const SOMEWHERE = addressFilledWith(0xaa);

/**
 * Returns the `parsed` member of an account of `owner` with `data`, or 'not parsed'. It throws if members are
 * not sorted by name, as in Agave's maps.
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

/** @throws {Error} if an object in `value` has unsorted members. */
export function requireSorted(value: JsonOutput | undefined): void {
  if (typeof value !== 'object' || value === null || value instanceof Float64) return;
  if (!Array.isArray(value)) {
    const names = Object.keys(value);
    if (names.join() !== [...names].sort().join()) throw new Error(`out of order: ${names.join()}`);
  }
  for (const member of Object.values(value as JsonOutputObject)) requireSorted(member);
}
