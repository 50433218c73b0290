import type { AccountReads } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { emptyTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { eataDataWith } from '../projection/projection.ts';
import { SECRET, type Reader } from './guard.ts';
import type { Guards } from './guards.ts';
import { expectedKeys, signersOf } from './transaction-keys.ts';

type Entry = readonly [Address, Account];

/** What is kept from a run whose sender may not know of it. */
export interface KeptFromRun {
  /** Accounts of others that exist on the rollup only, as absent. */
  readonly absent: readonly Entry[];
  /** Transfer queues and their tokens, as if nobody had paid. */
  readonly empty: readonly Entry[];
}

/**
 * The accounts a transaction names that neither its reader nor its signers may know of, as they would be if
 * there had been no payments: what it costs, logs and fails with then says nothing of them.
 */
export function keptFromRun(
  transaction: Transaction,
  reader: Reader,
  guards: Guards,
  ledger: Pick<AccountReads, 'getAccount'>,
): KeptFromRun {
  const readers = [reader, ...signersOf(transaction)];
  const absent: Entry[] = [];
  const empty: Entry[] = [];
  for (const key of expectedKeys(transaction, ledger)) {
    const guard = key === undefined ? undefined : guards.get(key);
    const account = key === undefined || guard === undefined ? null : ledger.getAccount(key);
    if (key === undefined || guard === undefined || account === null) continue;
    if (guard === SECRET) empty.push([key, emptied(account)]);
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
