import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { LmdbStore } from './lmdb-store.ts';
import { MemoryStore } from './memory-store.ts';
import type { Commit, LedgerIdentity, LedgerStore } from './store.ts';

const random = new SeededRandom('store');
const a = addressOf(random.bytes(32));
const b = addressOf(random.bytes(32));
const wallet = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const identity: LedgerIdentity = {
  genesisHash: a,
  blockhashSeed: random.bytes(32),
  faucetSeed: random.bytes(32),
  identitySeed: random.bytes(32),
};

function openLmdb(file = join(temporaryFolder(), 'ledger.mdb')): LmdbStore {
  const store = new LmdbStore(file);
  onTestFinished(() => store.close());
  return store;
}

describe.each<[string, () => LedgerStore]>([
  ['MemoryStore', () => new MemoryStore()],
  ['LmdbStore', () => openLmdb()],
])('%s', (_, open) => {
  it('holds nothing at first', () => {
    const store = open();
    expect(store.identity).toBeNull();
    expect(store.slotCeiling).toBe(0);
    expect([...store.accounts()]).toEqual([]);
    expect([...store.recordsFrom(0)]).toEqual([]);
    expect(store.recordCount).toBe(0);
    expect(store.record(makeRecord('none', { slot: 1, index: 0 }).signature)).toBeNull();
  });

  it('gives back what was committed', async () => {
    const store = open();
    const record = makeRecord('one', { slot: 600, index: 0 });
    await store.commit({ identity, slotCeiling: 700, accounts: [[a, wallet(1n)]], record });
    expect(store.identity).toEqual(identity);
    expect(store.slotCeiling).toBe(700);
    expect([...store.accounts()]).toEqual([[a, wallet(1n)]]);
    expect(store.record(record.signature)).toEqual(record);
    expect(store.recordCount).toBe(1);
  });

  it('replaces accounts and forgets those without lamports', async () => {
    const store = open();
    await store.commit({
      slotCeiling: 1,
      accounts: [
        [a, wallet(1n)],
        [b, wallet(2n)],
      ],
    });
    await store.commit({
      slotCeiling: 2,
      accounts: [
        [a, wallet(0n)],
        [b, wallet(3n)],
      ],
    });
    expect([...store.accounts()]).toEqual([[b, wallet(3n)]]);
  });

  it('knows in which order transactions landed, from any slot on', async () => {
    const store = open();
    const places = [
      [600, 0],
      [600, 1],
      [601, 0],
      [70_000, 0],
      [70_000, 256],
      [16_777_216, 1],
    ] as const;
    const records = places.map(([slot, index]) => makeRecord(`${slot}/${index}`, { slot, index }));
    for (const record of records) await store.commit({ slotCeiling: 1, record });
    expect([...store.recordsFrom(0)]).toEqual(records);
    expect([...store.recordsFrom(601)]).toEqual(records.slice(2));
    expect([...store.recordsFrom(16_777_217)]).toEqual([]);
  });

  it('finds nothing under a text that is no signature', () => {
    const store = open();
    for (const text of ['', 'not base58 0OIl', '1'.repeat(64), 'A'.repeat(500)]) {
      expect(store.record(text)).toBeNull();
    }
  });

  it('keeps the order of commits that are made at once', async () => {
    const store = open();
    const commits: Commit[] = Array.from({ length: 300 }, (_commit, index) => ({
      slotCeiling: index,
      accounts: [[a, wallet(BigInt(index + 1))]],
      record: makeRecord(`at once ${index}`, { slot: 600, index }),
    }));
    await Promise.all(commits.map((commit) => store.commit(commit)));
    expect(store.slotCeiling).toBe(299);
    expect([...store.accounts()]).toEqual([[a, wallet(300n)]]);
    expect([...store.recordsFrom(0)].map((record) => record.index)).toEqual(
      commits.map((_commit, index) => index),
    );
  });
});

describe('LmdbStore', () => {
  it('holds after reopening what was committed before', async () => {
    const file = join(temporaryFolder(), 'ledger.mdb');
    const record = makeRecord('kept', { slot: 600, index: 0 });
    const first = new LmdbStore(file);
    await first.commit({ identity, slotCeiling: 700, accounts: [[a, wallet(1n)]], record });
    await first.close();
    const second = openLmdb(file);
    expect(second.identity).toEqual(identity);
    expect(second.slotCeiling).toBe(700);
    expect([...second.accounts()]).toEqual([[a, wallet(1n)]]);
    expect(second.record(record.signature)).toEqual(record);
  });

  it('gives out records that later reads leave alone', async () => {
    const store = openLmdb();
    const records = Array.from({ length: 20 }, (_, index) =>
      makeRecord(`read ${index}`, { slot: 600, index }),
    );
    for (const record of records) await store.commit({ slotCeiling: 1, record });
    const read = records.map((record) => store.record(record.signature));
    const inOrder = [...store.recordsFrom(0)];
    await store.commit({ slotCeiling: 1, record: makeRecord('another', { slot: 601, index: 0 }) });
    expect(read).toEqual(records);
    expect(inOrder).toEqual(records);
  });

  it('writes all of a commit or nothing, and nothing after one that failed', async () => {
    const store = openLmdb();
    await store.commit({ slotCeiling: 1, accounts: [[a, wallet(1n)]] });
    const unwritable = {
      ...makeRecord('bad', { slot: 600, index: 0 }),
      // A function has no bytes.
      logs: [(() => 'no text') as unknown as string],
    };
    const results = await Promise.allSettled([
      store.commit({ slotCeiling: 2, accounts: [[a, wallet(2n)]] }),
      store.commit({
        slotCeiling: 3,
        accounts: [
          [a, wallet(3n)],
          [b, wallet(3n)],
        ],
        record: unwritable,
      }),
    ]);
    expect(results[1].status).toBe('rejected');
    // The first may have gone ahead of the second, or with it and been undone with it.
    const lamports = results[0].status === 'fulfilled' ? 2n : 1n;
    expect([...store.accounts()]).toEqual([[a, wallet(lamports)]]);
    await expect(store.commit({ slotCeiling: 4, accounts: [[b, wallet(4n)]] })).rejects.toThrow(
      'could not be cloned',
    );
    expect([...store.accounts()]).toEqual([[a, wallet(lamports)]]);
  });

  it('takes accounts of the largest size', async () => {
    const file = join(temporaryFolder(), 'ledger.mdb');
    const first = new LmdbStore(file);
    const large = accountOf(SYSTEM_PROGRAM, new Uint8Array(10 * 1024 * 1024).fill(7));
    await first.commit({ slotCeiling: 1, accounts: [[a, large]] });
    await first.close();
    const [[address, account]] = [...openLmdb(file).accounts()] as [[Address, typeof large]];
    expect(address).toBe(a);
    expect(Buffer.compare(account.data, large.data)).toBe(0);
  });
});
