import { describe, expect, it } from 'vitest';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { readonly } from '../../solana/instruction.ts';
import { compileLegacyMessage } from '../../solana/message.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { Keypair } from '../keypair.ts';
import { TransactionRejected } from '../ledger.ts';
import { Accounts } from '../state/accounts.ts';
import { buildV0, type V0Source } from '../testing/build-v0.ts';
import { lookupTable } from '../testing/lookup-table.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { slotAges } from '../testing/slot-ages.ts';
import { ACCOUNT_LOCKS_MAX, resolveAccountKeys } from './account-keys.ts';

const random = new SeededRandom('keys');
const payer = new Keypair(random.bytes(32));
const pool = Array.from({ length: 80 }, () => addressOf(random.bytes(32)));
const [tableA, tableB] = [pool[78] as Address, pool[79] as Address];
const known = new Accounts();
known.set(tableA, lookupTable(pool.slice(0, 40)));
known.set(tableB, lookupTable(pool.slice(40, 78)));

function build(keys: readonly Address[], lookups: V0Source['lookups']): Transaction {
  return buildV0({
    payer,
    keys: [...keys, MEMO_PROGRAM],
    readonlyCount: 1,
    blockhash: new Uint8Array(32),
    instructions: [{ program: keys.length + 1, accounts: [], data: new Uint8Array(0) }],
    lookups,
  });
}

function reject(transaction: Transaction): unknown {
  try {
    resolveAccountKeys(transaction, known, slotAges(2_000));
  } catch (error) {
    if (error instanceof TransactionRejected) return error.reason;
    throw error;
  }
  throw new Error('it was not rejected');
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe('resolveAccountKeys', () => {
  it('lists static keys, then the writable ones of all tables, then the read-only ones', () => {
    const transaction = build(
      [],
      [
        { table: tableA, writable: [3], readonly: [1, 0] },
        { table: tableB, writable: [2], readonly: [5] },
      ],
    );
    const keys = resolveAccountKeys(transaction, known, slotAges(2_000));
    const toWrite = [pool[3], pool[42]];
    const toRead = [pool[1], pool[0], pool[45]];
    expect(keys.addresses).toEqual([payer.address, MEMO_PROGRAM, ...toWrite, ...toRead]);
    expect(keys.loaded).toEqual({ writable: toWrite, readonly: toRead });
  });

  it('accepts at most 64 accounts', () => {
    const lookups = (count: number) => [
      { table: tableA, writable: range(0, 40), readonly: [] },
      { table: tableB, writable: [], readonly: range(0, count) },
    ];
    expect(resolveAccountKeys(build([], lookups(22)), known, slotAges(2_000)).addresses).toHaveLength(64);
    expect(reject(build([], lookups(23)))).toBe('TooManyAccountLocks');
  });

  it('has the same limit as the engine', () => {
    const engine = new LiteSvmEngine();
    engine.setAccount(payer.address, accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 10n ** 9n));
    const runWith = (count: number): unknown => {
      const accounts = Array.from({ length: count - 2 }, () => readonly(addressOf(random.bytes(32))));
      const instructions = [{ programId: SYSTEM_PROGRAM, accounts, data: Uint8Array.of(8, 0, 0, 0) }];
      const { bytes } = compileLegacyMessage({
        feePayer: payer.address,
        blockhash: new Uint8Array(32),
        instructions,
      });
      return engine.run(
        decodeTransaction(Buffer.concat([Buffer.of(1), new Uint8Array(64), bytes])),
        random.bytes(32),
      ).err;
    };
    expect(runWith(ACCOUNT_LOCKS_MAX)).not.toBe('TooManyAccountLocks');
    expect(runWith(ACCOUNT_LOCKS_MAX + 1)).toBe('TooManyAccountLocks');
  });

  it.each<[string, Transaction]>([
    ['in the message', build([pool[1] as Address, pool[1] as Address], [])],
    [
      'in the message and a table',
      build([pool[1] as Address], [{ table: tableA, writable: [1], readonly: [] }]),
    ],
    ['in a table', build([], [{ table: tableA, writable: [1], readonly: [1] }])],
  ])('rejects a key that is named twice: %s', (_, transaction) => {
    expect(reject(transaction)).toBe('AccountLoadedTwice');
  });

  it('rejects a malformed message before resolving its tables', () => {
    const transaction = build([], [{ table: pool[0] as Address, writable: [0], readonly: [] }]);
    expect(reject(transaction)).toBe('AddressLookupTableNotFound');
    expect(reject({ ...transaction, signatures: [] })).toBe('SanitizeFailure');
  });
});
