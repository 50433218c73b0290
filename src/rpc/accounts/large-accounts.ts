import type { Account } from '../../solana/account.ts';
import { LARGE, type Steps } from '../scan/scan.ts';
import type { AccountView } from './account-encoding.ts';

/** Data above this size is written in several steps, bytes. */
const LONG_BYTES = 192 * 1024;

/**
 * Accounts whose data is smaller in total are shown at once, bytes: that takes no longer than any other call.
 */
const SMALL_BYTES = 1024 * 1024;

/** Whether the data of an account has to be written in several steps. */
export function isLongAccount({ data }: Account): boolean {
  return data.length > LONG_BYTES;
}

/** Yields {@link LARGE} if the data of these accounts makes the answer slow. */
export function* sayIfLarge(accounts: Iterable<Account | null>, { slice }: AccountView): Steps<void> {
  let bytes = 0;
  for (const account of accounts) {
    const length = account?.data.length ?? 0;
    bytes += slice === undefined ? length : Math.min(length, slice.length);
    if (bytes <= SMALL_BYTES) continue;
    yield LARGE;
    return;
  }
}
