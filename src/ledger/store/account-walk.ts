import { ADDRESS_BYTES, addressBytes, addressOf, type Address } from '../../solana/address.ts';
import type { TokenAccountQuery } from '../ledger.ts';
import type { AccountRange } from '../state/account-source.ts';
import { isInRange } from '../state/is-in-range.ts';
import type { DataTest, Look } from '../state/steady-entries.ts';
import { ACCOUNT_HEAD_BYTES, decodeOwnedAccount, OWNER_AT } from './account-codec.ts';
import { addressOfKey, ALL_OWNED, holdingRange, ownedRange } from './account-keys.ts';
import { readAccountValue } from './account-writes.ts';
import type { LmdbTables, PinnedMoment } from './lmdb-tables.ts';
import { ledgerStopped } from './open-file.ts';
import type { PageWalk } from './page-walk.ts';
import { type Moment, SUM_BYTES } from './sealed-table.ts';

/**
 * A look of a walk is of so many pages, some 10 us, since passing it on costs as much as a third of a page.
 * The first are of one, so that who counts them learns early that a walk is long.
 */
const PAGES_OF_A_LOOK = 4;
const SINGLE_PAGES = 512;

/**
 * Goes through the accounts of a range as they are now, in no order that means anything: null for a
 * few that do not pass. Only those that pass are copied, and checked.
 *
 * @throws {ServiceError} LEDGER_DAMAGED, and LEDGER_STOPPED once the tables are closed; both on the way too.
 */
export function walkAccounts(
  tables: LmdbTables,
  range: AccountRange,
  test: DataTest,
): IterableIterator<Look> {
  if (tables.isClosed) throw ledgerStopped();
  if ('holder' in range) return walkHoldings(tables, range, test);
  return walkOwned(tables, 'program' in range ? range.program : null, test);
}

function walkOwned(tables: LmdbTables, program: Address | null, test: DataTest): IterableIterator<Look> {
  const moment = tables.pin();
  try {
    const range = program === null ? ALL_OWNED : ownedRange(program);
    const walk = tables.walkPages(tables.owned, range, moment);
    const owner = program === null ? null : addressBytes(program);
    return untilDone(tables, moment, readOwned(tables, walk, owner, test));
  } catch (error) {
    moment.release();
    throw error;
  }
}

function* readOwned(
  { owned }: LmdbTables,
  walk: PageWalk,
  owner: Uint8Array | null,
  test: DataTest,
): IterableIterator<Look> {
  const isWanted: DataTest = (bytes, from, to) =>
    test(bytes, from + SUM_BYTES + ACCOUNT_HEAD_BYTES, to) &&
    (owner === null || hasBytesAt(bytes, from + SUM_BYTES + OWNER_AT, owner));
  let pages = 0;
  while (walk.nextPage()) {
    do {
      while (walk.nextWanted(isWanted)) {
        const key = walk.key();
        yield [addressOf(addressOfKey(key)), decodeOwnedAccount(owned.open(key, walk.value()))];
      }
      for (let looks = walk.takeLooks(); looks > 0; looks--) yield null;
    } while (walk.hasMore);
    if (++pages <= SINGLE_PAGES || pages % PAGES_OF_A_LOOK === 0) yield null;
  }
  if (owner === null) walk.assertWhole();
}

function hasBytesAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < ADDRESS_BYTES; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** The moment is that of the call: both the keys and the accounts are read as of then. */
function walkHoldings(tables: LmdbTables, query: TokenAccountQuery, test: DataTest): IterableIterator<Look> {
  const moment = tables.pin();
  try {
    const walk = tables.walkPages(tables.holdings, holdingRange(query), moment);
    return untilDone(tables, moment, readHoldings(tables, walk, moment.transaction, query, test));
  } catch (error) {
    moment.release();
    throw error;
  }
}

function* readHoldings(
  tables: LmdbTables,
  walk: PageWalk,
  transaction: Moment,
  query: TokenAccountQuery,
  test: DataTest,
): IterableIterator<Look> {
  while (walk.nextPage()) {
    while (walk.nextKey()) {
      const address = addressOfKey(walk.key());
      const value = readAccountValue(tables, address, transaction);
      // Also where the key is not what was written: its checksum is not read.
      if (value === undefined) {
        throw tables.holdings.damaged(`${address.toString('hex')} is not in homes, but`);
      }
      const account = decodeOwnedAccount(value);
      const { data } = account;
      // Keys have only the first bytes of what is asked for.
      const isWanted = isInRange(query, account) && test(data, 0, data.length);
      yield isWanted ? [addressOf(address), account] : null;
    }
  }
}

/**
 * Releases the moment once: at the end, at an error, or when it is left, also before the first step, as
 * generators do not. With the file it was released as well.
 */
function untilDone(
  tables: LmdbTables,
  moment: PinnedMoment,
  looks: IterableIterator<Look>,
): IterableIterator<Look> {
  let isOpen = true;
  const close = (): void => {
    if (isOpen && !tables.isClosed) moment.release();
    isOpen = false;
  };
  return {
    [Symbol.iterator]() {
      return this;
    },
    next() {
      if (!isOpen) return { done: true, value: undefined };
      try {
        if (tables.isClosed) throw ledgerStopped();
        const step = looks.next();
        if (step.done === true) close();
        return step;
      } catch (error) {
        close();
        throw error;
      }
    },
    return() {
      // The ranges inside are ended before what they read from.
      if (!tables.isClosed) looks.return?.();
      close();
      return { done: true, value: undefined };
    },
  };
}
