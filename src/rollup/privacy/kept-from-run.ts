import type { AccountReads } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { emptyTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { eataDataWith } from '../projection/projection.ts';
import { type Reader, SECRET } from './guard.ts';
import type { Guards } from './guards.ts';
import { expectedKeys } from './transaction-keys.ts';

type Entry = readonly [Address, Account];

/** What is kept from a run whose sender may not know of it. */
export interface KeptFromRun {
  /**
   * Accounts of others that exist on the rollup only, as absent; and those that are absent, so that a run
   * does for the one what it does for the other, and its time tells nothing.
   */
  readonly absent: readonly Entry[];
  /** Transfer queues and their tokens, as if nobody had paid. */
  readonly empty: readonly Entry[];
}

/**
 * The accounts a transaction names that none of its readers may know of, as they would be if there had been
 * no payments: what it costs, logs and fails with then says nothing of them.
 *
 * @param readers who asks for the run, and those who have signed it. Whom it merely names as a signer has
 *   asked for nothing.
 */
export function keptFromRun(
  transaction: Transaction,
  readers: readonly Reader[],
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): KeptFromRun {
  const absent: Entry[] = [];
  const empty: Entry[] = [];
  for (const key of expectedKeys(transaction, ledger)) {
    if (key === undefined) continue;
    // Each is read: one that is hidden takes as long as one that is not there.
    const account = ledger.getAccount(key);
    const guard = guards.get(key);
    if (account === null) absent.push([key, GONE]);
    else if (guard === undefined) continue;
    else if (guard === SECRET) empty.push([key, emptied(account)]);
    else if (guards.isEphemeral(key) && !readers.some((each) => guard.allows(each, 'balances'))) {
      absent.push([key, GONE]);
    }
  }
  return { absent, empty };
}

/** The amounts of eATAs and token accounts are at the same place. */
const emptied = (account: Account): Account => ({
  ...account,
  data: emptyTransferQueue(account.data) ?? eataDataWith(account.data, 0n),
});
