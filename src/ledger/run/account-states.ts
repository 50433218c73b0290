import { assertInvariant } from '../../errors/assert-invariant.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { BPF_LOADER_UPGRADEABLE, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { isStaticKeyWritable, type Transaction } from '../../solana/transaction.ts';
import type { ExecutedAccount } from '../engine/engine.ts';
import { programDataOf } from '../genesis/program-accounts.ts';
import { type AccountView, isDifferent } from '../state/accounts.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Outcome } from './executor.ts';
import type { UsedNonce } from './nonce.ts';

/** The accounts of a transaction by key index; undefined for absent accounts. */
export type AccountStates = readonly (Account | undefined)[];

/** A deleted account, in the form that Agave reports (`AccountSharedData::default()`). */
export const GONE: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};

/** Returns the accounts after a successful run, in key order: `before` with the written accounts replaced. */
export function alignAccounts(
  transaction: Transaction,
  keys: AccountKeys,
  before: AccountStates,
  written: readonly ExecutedAccount[],
): AccountStates {
  const after = before.slice();
  for (const [position, index] of writtenIndices(transaction, keys, written).entries()) {
    const account = written[position] as ExecutedAccount;
    after[index] = account.lamports > 0n ? account : undefined;
  }
  return after;
}

function writtenIndices(
  transaction: Transaction,
  keys: AccountKeys,
  written: readonly ExecutedAccount[],
): readonly number[] {
  const requested = requestedWritable(transaction, keys);
  // Called programs and sysvars stay read-only even if the message requests them as writable. This is rare.
  if (requested.length === written.length) return requested;
  const table = keyTable(transaction, keys);
  let index = -1;
  // Both lists are in key order, so one pass pairs them.
  return written.map(({ key }) => {
    do index++;
    while (index < keys.addresses.length && table.compare(key, 0, 32, index * 32, index * 32 + 32) !== 0);
    assertInvariant(index < keys.addresses.length, 'a run writes only the accounts of its transaction');
    return index;
  });
}

function requestedWritable(transaction: Transaction, keys: AccountKeys): number[] {
  const indices: number[] = [];
  const staticCount = transaction.staticKeys.length;
  for (let index = 0; index < staticCount; index++) {
    if (isStaticKeyWritable(transaction, index)) indices.push(index);
  }
  for (let loaded = 0; loaded < keys.loaded.writable.length; loaded++) indices.push(staticCount + loaded);
  return indices;
}

/** Returns the accounts after a failed run, which still pays the fee and advances the nonce. */
export function chargeAccounts(
  keys: AccountKeys,
  before: AccountStates,
  fee: bigint,
  nonce: UsedNonce | null,
): AccountStates {
  const after = [...before];
  // The nonce comes first, because its account may also pay the fee.
  if (nonce !== null) after[keys.addresses.indexOf(nonce.address)] = nonce.advanced;
  const [payer] = after;
  // The payer may be absent only on a ledger without fees.
  if (payer === undefined) return after;
  const lamports = payer.lamports - fee;
  after[0] = lamports === 0n ? undefined : { ...payer, lamports };
  return after;
}

/** Returns the accounts of a transaction that changed. Deleted accounts have 0 lamports. */
export function changedAccounts(
  keys: AccountKeys,
  before: AccountStates,
  after: AccountStates,
): [Address, Account][] {
  const changes: [Address, Account][] = [];
  for (const [index, address] of keys.addresses.entries()) {
    const old = before[index];
    const now = after[index];
    if (now === old) continue;
    if (now === undefined) changes.push([address, GONE]);
    else if (old === undefined || isDifferent(old, now)) changes.push([address, now]);
  }
  return changes;
}

/**
 * Returns the upgradeable programs of a transaction that changed an account of their loader. Their code may
 * be new although the program account is the same.
 */
export function touchedPrograms(
  keys: AccountKeys,
  before: AccountStates,
  after: AccountStates,
): [Address, Account][] {
  const isLoaders = (account: Account | undefined): boolean => account?.owner === BPF_LOADER_UPGRADEABLE;
  const touched = after.some(
    (now, index) => now !== before[index] && (isLoaders(now) || isLoaders(before[index])),
  );
  if (!touched) return [];
  return keys.addresses.flatMap((address, index) => {
    const account = after[index];
    return account?.executable === true && isLoaders(account)
      ? [[address, account] as [Address, Account]]
      : [];
  });
}

/** Concatenates the bytes of all keys. */
function keyTable({ wire, keysAt, staticKeys }: Transaction, keys: AccountKeys): Buffer {
  const table = Buffer.from(wire.buffer, wire.byteOffset + keysAt, staticKeys.length * 32);
  const loaded = keys.addresses.slice(staticKeys.length);
  return loaded.length === 0 ? table : Buffer.concat([table, ...loaded.map(addressBytes)]);
}

/** Rewrites an outcome as if the run had created the supplied accounts that it changed. Drops the others. */
export function withoutSupplies(
  outcome: Outcome,
  { addresses }: AccountKeys,
  supplied: ReadonlyMap<Address, Account>,
): Outcome {
  const isSupplied = addresses.map((address) => supplied.has(address));
  const isUnused = addresses.map((address, index) => {
    const account = supplied.get(address);
    const after = outcome.after[index];
    return account !== undefined && (after === undefined || !isDifferent(account, after));
  });
  const { execution } = outcome;
  const zeroWhere = (lamports: readonly bigint[] | null, isZero: readonly boolean[]) =>
    lamports?.map((each, index) => (isZero[index] === true ? 0n : each)) ?? null;
  return {
    ...outcome,
    supplied,
    before: outcome.before.map((account, index) => (isSupplied[index] === true ? undefined : account)),
    after: outcome.after.map((account, index) => (isUnused[index] === true ? undefined : account)),
    execution: {
      ...execution,
      preBalances: zeroWhere(execution.preBalances, isSupplied),
      postBalances: zeroWhere(execution.postBalances, isUnused),
    },
  };
}

/**
 * Bytes counted per account in addition to its data, and per lookup table in total (Agave
 * `TRANSACTION_ACCOUNT_BASE_SIZE`, `ADDRESS_LOOKUP_TABLE_BASE_SIZE`).
 */
const ACCOUNT_BASE_BYTES = 64;
const LOOKUP_TABLE_BYTES = 8_248;

/**
 * Returns the bytes of account data that a transaction loads (SIMD-0186): its existing accounts, its lookup
 * tables, and the ProgramData of its upgradeable programs, each counted once.
 */
export function loadedDataSize(
  addresses: readonly Address[],
  states: readonly (Account | undefined)[],
  lookupTables: number,
  accounts: AccountView,
): number {
  let size = lookupTables * LOOKUP_TABLE_BYTES;
  const counted = new Set<Address>();
  for (const account of states) {
    if (account === undefined) continue;
    size += ACCOUNT_BASE_BYTES + account.data.length;
    const programData = programDataOf(account);
    // ProgramData among the keys is already counted.
    if (programData === null || counted.has(programData) || addresses.includes(programData)) continue;
    counted.add(programData);
    const loaded = accounts.get(programData);
    if (loaded !== undefined) size += ACCOUNT_BASE_BYTES + loaded.data.length;
  }
  return size;
}

/** Default limit of a ledger's total account data, in bytes: 512 MiB. */
export const ACCOUNTS_BYTES_MAX = 512 * 1024 * 1024;

/** Maximum bytes added per transaction (Agave `MAX_PERMITTED_ACCOUNTS_DATA_ALLOCATIONS_PER_TRANSACTION`). */
const ADDED_BYTES_MAX = 20 * 1024 * 1024;

/**
 * The limit of a ledger's total account data, all of which is in memory. Rejects growth beyond the limit, but
 * never a change that shrinks or keeps the total.
 */
export class DataCeiling {
  readonly bytesMax: number;
  readonly #accounts: Pick<AccountView, 'get' | 'dataBytes'>;

  constructor(accounts: Pick<AccountView, 'get' | 'dataBytes'>, bytesMax: number) {
    this.#accounts = accounts;
    this.bytesMax = bytesMax;
  }

  /** Whether a change of accounts from `before` to `after` exceeds the limit. Both are in key order. */
  isExceededBy(before: AccountStates, after: AccountStates): boolean {
    const room = this.bytesMax - this.#accounts.dataBytes;
    // Skipped while there is enough room, because reading a result copies it out of the engine.
    return room < ADDED_BYTES_MAX && isTooMuch(bytesOf(after) - bytesOf(before), room);
  }

  /**
   * Checks that there is room for accounts that an operator sets. A later entry replaces an earlier entry at
   * the same address.
   *
   * @throws {ServiceError} LEDGER_FULL naming the setting.
   */
  assertRoom(entries: readonly (readonly [Address, Account])[]): void {
    const states = [...new Map(entries)];
    const added =
      bytesOf(states.map(([, account]) => (account.lamports === 0n ? undefined : account))) -
      bytesOf(states.map(([address]) => this.#accounts.get(address)));
    const { dataBytes } = this.#accounts;
    if (isTooMuch(added, this.bytesMax - dataBytes)) throw ledgerFull(dataBytes + added, this.bytesMax);
  }
}

/** Creates the error for a total of `bytes`, which exceeds the limit. */
export function ledgerFull(bytes: number, bytesMax: number): ServiceError {
  return new ServiceError(
    'LEDGER_FULL',
    `The accounts of the ledger would have ${bytes} bytes of data, more than the limit of ${bytesMax}: raise LEDGER_ACCOUNTS_BYTES_MAX (memory use grows with it), or create fewer or smaller accounts`,
    { bytes, bytesMax },
  );
}

function isTooMuch(added: number, room: number): boolean {
  return added > 0 && added > room;
}

function bytesOf(accounts: AccountStates): number {
  return accounts.reduce((sum, account) => sum + (account?.data.length ?? 0), 0);
}
