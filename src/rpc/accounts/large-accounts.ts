import type { Account } from '../../solana/account.ts';
import { LARGE, type Steps } from '../scan/scan.ts';
import type { AccountView } from './account-encoding.ts';

/** Data of more bytes are written in several steps. */
const LONG_BYTES = 192 * 1024;

/** Accounts whose data are shorter together are shown in one go: that takes as long as any other call. */
const SMALL_BYTES = 1024 * 1024;

/** Whether an account's data are to be written in several steps. */
export function isLongAccount({ data }: Account): boolean {
  return data.length > LONG_BYTES;
}

/** Says that the answer takes long, if the data of these accounts make it so. */
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
