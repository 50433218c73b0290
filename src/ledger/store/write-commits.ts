import { AccountFold } from './account-fold.ts';
import type { AccountWrites } from './account-writes.ts';
import type { EncodedRecord } from './encoded-commit.ts';
import { writeRecords } from './history/write-records.ts';
import type { LmdbTables } from './lmdb-tables.ts';
import { encodeMessageKey, messageKeyAt } from './message-key.ts';
import type { NumberedCommit } from './recent-commits.ts';

const NOTHING = Buffer.alloc(0);

/** Expired messages removed for each commit, at most. */
const EXPIRED_PER_COMMIT = 4;

/** Writes the accounts and transactions of commits. A commit that begins a ledger clears the tables first. */
export function writeCommits(
  tables: LmdbTables,
  writes: AccountWrites,
  commits: readonly NumberedCommit[],
): void {
  // Of an account that changed several times only the final state is written.
  const accounts = new AccountFold();
  let records: EncodedRecord[] = [];
  for (const { commit } of commits) {
    if (commit.identity !== undefined) {
      tables.clear();
      writes.clear();
      accounts.clear();
      records = [];
    }
    for (const account of commit.accounts) accounts.add(account);
    if (commit.record !== undefined) records.push(commit.record);
    if (commit.message !== undefined) tables.messages.put(encodeMessageKey(commit.message), NOTHING);
  }
  writeRecords(tables, records);
  forgetExpired(tables, commits);
  // A patch whose base is not among these commits applies to the stored account.
  const kept = (address: Buffer): Buffer | undefined => writes.read(address);
  for (const [address, value] of accounts.values(kept, (what) => tables.owned.damaged(what))) {
    writes.put(address, value);
  }
}

function forgetExpired({ messages }: LmdbTables, commits: readonly NumberedCommit[]): void {
  const newest = commits.findLast(({ commit }) => commit.message !== undefined)?.commit.message;
  if (newest === undefined) return;
  const limit = commits.length * EXPIRED_PER_COMMIT;
  // Listed before anything is removed, because removals move the cursor.
  const expired = [...messages.range({ end: messageKeyAt(newest.expiredBelow), limit })];
  for (const [key] of expired) messages.remove(key);
}
