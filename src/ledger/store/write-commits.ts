import { ADDRESS_BYTES } from '../../solana/address.ts';
import { AccountFold } from './account-fold.ts';
import type { EncodedRecord } from './encoded-commit.ts';
import { writeKeptRecord } from './kept-record.ts';
import type { LmdbTables } from './lmdb-tables.ts';
import type { NumberedCommit } from './recent-commits.ts';
import { encodePosition } from './record-position.ts';

const NOTHING = Buffer.alloc(0);

/** Writes the accounts and transactions of commits. A commit that begins a ledger clears the tables first. */
export function writeCommits(tables: LmdbTables, commits: readonly NumberedCommit[]): void {
  // Of an account that changed several times only the final state is written.
  const accounts = new AccountFold();
  for (const { commit } of commits) {
    if (commit.identity !== undefined) {
      tables.clear();
      accounts.clear();
    }
    for (const account of commit.accounts) accounts.add(account);
    if (commit.record !== undefined) writeRecord(tables, commit.record);
  }
  // A patch whose base is not among these commits applies to the stored account.
  const kept = (address: Buffer): Buffer | undefined => tables.accounts.get(address);
  for (const [address, value] of accounts.values(kept, (what) => tables.accounts.damaged(what))) {
    if (value === null) tables.accounts.remove(address);
    else tables.accounts.put(address, value);
  }
}

function writeRecord(tables: LmdbTables, record: EncodedRecord): void {
  const position = encodePosition(record.position);
  tables.records.put(position, writeKeptRecord(record));
  tables.signatures.put(record.signature, position);
  for (const key of namingKeys(record, position)) tables.naming.put(key, NOTHING);
}

/** Removes a transaction and its index entries. */
export function removeRecord(tables: LmdbTables, record: EncodedRecord): void {
  const position = encodePosition(record.position);
  tables.records.remove(position);
  tables.signatures.remove(record.signature);
  for (const key of namingKeys(record, position)) tables.naming.remove(key);
}

function* namingKeys({ addresses }: EncodedRecord, position: Buffer): Iterable<Buffer> {
  for (let at = 0; at < addresses.length; at += ADDRESS_BYTES) {
    yield Buffer.concat([addresses.subarray(at, at + ADDRESS_BYTES), position]);
  }
}
