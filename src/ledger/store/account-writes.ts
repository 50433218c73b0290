import type { AccountTotals } from '../state/account-source.ts';
import { ACCOUNT_HEAD_BYTES } from './account-codec.ts';
import { holdingKeys, ownedKey, ownerPrefix } from './account-keys.ts';
import type { LmdbTables } from './lmdb-tables.ts';
import { ledgerStopped } from './open-file.ts';
import type { Moment } from './sealed-table.ts';

const NOTHING = Buffer.alloc(0);

/**
 * The stored bytes of an account; undefined if there is none.
 *
 * @param moment as of when; now if absent.
 * @throws {ServiceError} LEDGER_DAMAGED, and LEDGER_STOPPED once the tables are closed.
 */
export function readAccountValue(
  tables: LmdbTables,
  address: Uint8Array,
  moment?: Moment,
): Buffer | undefined {
  if (tables.isClosed) throw ledgerStopped();
  const prefix = tables.homes.get(address, moment);
  if (prefix === undefined) return undefined;
  const value = tables.owned.get(ownedKey(prefix, address), moment);
  if (value === undefined) {
    throw tables.owned.damaged(`there is no account ${Buffer.from(address).toString('hex')}`);
  }
  return value;
}

/**
 * Accounts being written in one transaction of the database: each with what finds it, and what all come to
 * together.
 */
export class AccountWrites {
  readonly #tables: LmdbTables;
  #totals: AccountTotals;

  /** @param totals those before. */
  constructor(tables: LmdbTables, totals: AccountTotals) {
    this.#tables = tables;
    this.#totals = totals;
  }

  get totals(): AccountTotals {
    return this.#totals;
  }

  /** Begins again with no accounts; the tables are cleared by the caller. */
  clear(): void {
    this.#totals = NO_ACCOUNTS;
  }

  /** The stored bytes of an account as of now; undefined if there is none. */
  read(address: Uint8Array): Buffer | undefined {
    return readAccountValue(this.#tables, address);
  }

  /** Writes the stored bytes of an account; null removes it. */
  put(address: Buffer, value: Buffer | null): void {
    const { homes, owned, holdings } = this.#tables;
    const before = this.read(address);
    const from = before && ownerPrefix(before);
    const to = value === null ? undefined : ownerPrefix(value);
    const hasMoved = from === undefined || to === undefined || !from.equals(to);
    if (hasMoved && from !== undefined) owned.remove(ownedKey(from, address));
    if (to === undefined) homes.remove(address);
    else if (hasMoved) homes.put(address, to);
    if (to !== undefined && value !== null) owned.put(ownedKey(to, address), value);
    const old = before === undefined ? [] : holdingKeys(address, before);
    const now = value === null ? [] : holdingKeys(address, value);
    for (const key of old) if (!has(now, key)) holdings.remove(key);
    for (const key of now) if (!has(old, key)) holdings.put(key, NOTHING);
    this.#count(before, value ?? undefined);
  }

  #count(before: Buffer | undefined, after: Buffer | undefined): void {
    const { count, lamports, dataBytes } = this.#totals;
    this.#totals = {
      count: count + (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1),
      lamports: lamports + lamportsOf(after) - lamportsOf(before),
      dataBytes: dataBytes + dataBytesOf(after) - dataBytesOf(before),
    };
  }
}

/** The totals of no accounts. */
export const NO_ACCOUNTS: AccountTotals = { count: 0, lamports: 0n, dataBytes: 0 };

const has = (keys: readonly Buffer[], key: Buffer): boolean => keys.some((each) => each.equals(key));

const lamportsOf = (value: Buffer | undefined): bigint => value?.readBigUInt64LE(0) ?? 0n;

const dataBytesOf = (value: Buffer | undefined): number =>
  value === undefined ? 0 : value.length - ACCOUNT_HEAD_BYTES;
