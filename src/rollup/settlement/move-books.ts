import type { EmbeddedLedger } from '../../ledger/embedded-ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { MAGIC_CONTEXT } from '../../programs/addresses.ts';
import { ROLLUP_BOOKS } from './rollup-books.ts';

/**
 * Brings the books of a rollup that kept them at the address of the Magic context to where they are now, in
 * one commit.
 *
 * @param own the accounts that are kept.
 */
export async function moveBooks(
  ledger: Pick<EmbeddedLedger, 'setOwnAccounts'>,
  own: Pick<AccountView, 'get'>,
): Promise<void> {
  const books = own.get(MAGIC_CONTEXT);
  if (books === undefined) return;
  await ledger.setOwnAccounts([
    [ROLLUP_BOOKS, books],
    [MAGIC_CONTEXT, GONE],
  ]);
}
