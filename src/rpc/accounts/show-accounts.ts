import type { LongText } from '../../json/long-text.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LARGE, type Steps } from '../scan/scan.ts';
import { listInSteps } from '../scan/steps.ts';
import { type AccountView, showAccount } from './account-encoding.ts';
import { isLongAccount, sayIfLarge } from './large-accounts.ts';

/** Accounts with less data together are read at once, bytes: that takes about a millisecond. */
const READ_BYTES_MAX = 1024 * 1024;

/** An address and its account, if there is one. */
type FoundAccount = readonly [Address, Account | null];

/**
 * The accounts at these addresses as they are now. It says that it is slow before it has read much: what is
 * read of a ledger on the disk is a copy, which takes its time and memory.
 */
export function* readAccounts(
  addresses: readonly Address[],
  read: (address: Address) => Account | null,
): Steps<readonly FoundAccount[]> {
  const found: FoundAccount[] = [];
  let bytes = 0;
  let isLarge = false;
  for (const address of addresses) {
    const account = read(address);
    found.push([address, account]);
    bytes += account?.data.length ?? 0;
    if (isLarge || bytes <= READ_BYTES_MAX) continue;
    isLarge = true;
    yield LARGE;
  }
  return found;
}

/** Lists the accounts as `showAccount` shows them; null for absent ones. */
export function* showAccounts(found: readonly FoundAccount[], view: AccountView): Steps<LongText> {
  yield* sayIfLarge(
    found.map(([, account]) => account),
    view,
  );
  return yield* listInSteps(
    found,
    ([address, account]) => account && showAccount(address, account, view),
    ([, account]) => account !== null && isLongAccount(account),
  );
}
