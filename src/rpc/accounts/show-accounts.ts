import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { LongText } from '../../json/long-text.ts';
import { listInSteps } from '../scan/list-in-steps.ts';
import type { Steps } from '../scan/scan.ts';
import { showAccount, type AccountView } from './account-encoding.ts';
import { isLongAccount, sayIfLarge } from './large-accounts.ts';

/** An address and its account, if there is one. */
type FoundAccount = readonly [Address, Account | null];

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
