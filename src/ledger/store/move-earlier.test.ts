import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { encodeCommit, type EncodedRecord, writeCommit } from './encoded-commit.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { FolderFiles } from './journal/folder-files.ts';
import { Journal } from './journal/journal.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { openLedgerFolder } from './ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from './store.ts';
import { toEarlierFormat } from './testing/earlier-format.ts';

/** More than are moved in one step. */
const MANY = 5_000;

const random = new SeededRandom('move accounts');
const holder = addressOf(random.bytes(32));
const identity: LedgerIdentity = {
  genesisHash: holder,
  blockhashSeed: random.bytes(32),
  faucetSeed: random.bytes(32),
  identitySeed: random.bytes(32),
};

const accounts = new Map<Address, Account>(
  Array.from({ length: MANY }, (_, n) => [
    addressOf(random.bytes(32)),
    n % 2 === 0
      ? tokenAccount({ mint: USDC_MINT, owner: holder }, BigInt(n))
      : accountOf(SYSTEM_PROGRAM, random.bytes(n % 50), BigInt(n)),
  ]),
);

/** A folder with these accounts as a release with format 3 left it. */
async function earlierFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = openLedgerFolder(folder, { logger: silentLogger });
  await store.commit({ slotCeiling: 9, identity, accounts: [...accounts] });
  await store.close();
  await toEarlierFormat(folder, 3);
  return folder;
}

async function openPrepared(folder: string, logger: Logger = silentLogger): Promise<LedgerStore> {
  const store = openLedgerFolder(folder, { logger });
  onTestFinished(() => store.close());
  await store.prepare();
  return store;
}

function expectAll(store: LedgerStore): void {
  expect(new Map(store.accounts())).toEqual(accounts);
  const kept = store.kept(identity.genesisHash);
  const totals = [...accounts.values()].reduce((sum, { lamports }) => sum + lamports, 0n);
  expect(kept?.totals).toMatchObject({ count: MANY, lamports: totals });
  const query = { holder: 'owner', address: holder, program: TOKEN_PROGRAM } as const;
  expect([...(kept?.walk(query, () => true) ?? [])]).toHaveLength(MANY / 2);
}

describe('accounts of an earlier format', () => {
  it('are moved before anything reads them, and the log tells how far it is', async () => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, info: (facts: unknown) => told.push(facts) } as unknown as Logger;
    const folder = await earlierFolder();
    const store = await openPrepared(folder, logger);
    expect(told[0]).toEqual({ accounts: MANY });
    expect(told.at(-1)).toEqual({ moved: MANY, accounts: MANY });
    expect(told.length).toBeGreaterThan(2);
    expectAll(store);
    await store.close();
    expectAll(await openPrepared(folder));
  });

  it('come with a word once, as the way back to that release is a copy (bug: nothing was said)', async () => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, warn: (...facts: unknown[]) => told.push(facts) } as unknown as Logger;
    const folder = await earlierFolder();
    for (let starts = 0; starts < 2; starts++) await (await openPrepared(folder, logger)).close();
    const text = 'the ledger was kept by an earlier release, which refuses its folder from now on';
    expect(told).toEqual([[{ before: expect.any(Number), format: expect.any(Number) }, text]]);
  });

  it('are moved on from where it was when the process died', async () => {
    const folder = await earlierFolder();
    const database = new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX);
    database.raiseFormat({ sequence: 1, slot: 10 });
    await database.moveSomeAccounts();
    expect(database.unmovedAccounts).toBeGreaterThan(0);
    expect(database.unmovedAccounts).toBeLessThan(MANY);
    await database.close();
    expectAll(await openPrepared(folder));
  });

  it('are whole when a ledger is closed before they were moved', async () => {
    const folder = await earlierFolder();
    await openLedgerFolder(folder, { logger: silentLogger }).close();
    expect(readdirSync(folder)).toContain('ledger.mdb');
    expectAll(await openPrepared(folder));
  });
});

describe('transactions of an earlier format', () => {
  /** More than are moved in one step. */
  const COUNT = 600;
  const others = Array.from({ length: 9 }, () => addressOf(random.bytes(32)));
  const landed = Array.from({ length: COUNT }, (_, n) => {
    const record = makeRecord(`move ${n}`, { slot: 600 + Math.floor(n / 3), index: n % 3 });
    return { record, names: [holder, others[n % 9] as Address] };
  });

  /** A folder with them, and nothing else, as a release with format 5 left it. */
  async function earlierHistory(): Promise<string> {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder, { logger: silentLogger });
    await store.commit({ slotCeiling: 9, identity });
    await Promise.all(
      landed.map(({ record, names }) =>
        store.commit({ slotCeiling: record.slot, record, recordAddresses: names }),
      ),
    );
    await store.close();
    await toEarlierFormat(folder, 5);
    return folder;
  }

  function expectHistory(store: LedgerStore): void {
    const records = landed.map(({ record }) => record);
    const signatures = records.map(({ signature }) => signature);
    expect([...store.recordsFrom(0)]).toEqual(records);
    expect(signatures.map((each) => store.record(each)?.signature)).toEqual(signatures);
    const naming = (address: Address): string[] =>
      Array.from(store.recordsNaming({ address, limit: COUNT }), ({ signature }) => signature);
    expect(naming(holder)).toEqual(signatures.toReversed());
    for (const [at, address] of others.entries()) {
      expect(naming(address)).toEqual(signatures.filter((_, n) => n % 9 === at).toReversed());
    }
    expect(store.recordCount).toBe(COUNT);
    expect(store.messagesFrom).toBe(0);
  }

  it('are moved before anything reads them, and the log tells how far it is', async () => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, info: (facts: unknown) => told.push(facts) } as unknown as Logger;
    const folder = await earlierHistory();
    const store = await openPrepared(folder, logger);
    expect(told[0]).toEqual({ transactions: COUNT });
    expect(told.at(-1)).toEqual({ moved: COUNT, transactions: COUNT });
    expect(told.length).toBeGreaterThan(2);
    expectHistory(store);
    await store.close();
    const again = await openPrepared(folder);
    expectHistory(again);
    const { length } = told;
    const { record, names } = { record: makeRecord('next', { slot: 5_000, index: 0 }), names: [holder] };
    await again.commit({ slotCeiling: 5_000, record, recordAddresses: names });
    await again.close();
    const after = await openPrepared(folder, logger);
    expect(told).toHaveLength(length);
    expect([...after.recordsNaming({ address: holder, limit: 2 })]).toEqual([record, landed.at(-1)?.record]);
  });

  it('are moved on from where it was when the process died, whatever the step', async () => {
    const whole = await earlierHistory();
    for (let steps = 1; steps <= 2; steps++) {
      const folder = temporaryFolder();
      cpSync(whole, folder, { recursive: true });
      const database = new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX);
      database.raiseFormat({ sequence: 1, slot: 10 });
      for (let step = 0; step < steps; step++) await database.moveSomeRecords();
      expect(database.unmovedRecords > 0).toBe(steps === 1);
      await database.close();
      expectHistory(await openPrepared(folder));
    }
  });

  it('are taken over from a journal of that format', async () => {
    const folder = await earlierHistory();
    const records = [0, 1].map((index) => makeRecord(`journal ${index}`, { slot: 7_000 + index, index }));
    const first = new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX);
    const next = first.taken + 1;
    await first.close();
    const journal = new Journal(new FolderFiles(folder), random, {
      entries: [],
      segments: [],
      next,
      cut: null,
    });
    for (const record of records) {
      const commit = encodeCommit({ slotCeiling: 7_000, record, recordAddresses: [holder] });
      const encoded = commit.record as EncodedRecord;
      await journal.append([writeCommit({ ...commit, record: { ...encoded, value: serialize(record) } })]);
    }
    await journal.close();
    const [before, newest] = records;
    const page = { address: holder, limit: 3 };
    const found = [newest, before, landed.at(-1)?.record];
    const store = await openPrepared(folder);
    expect([...store.recordsNaming(page)]).toEqual(found);
    await store.close();
    const again = await openPrepared(folder);
    expect([...again.recordsNaming(page)]).toEqual(found);
    expect(again.record(newest?.signature ?? '')).toEqual(newest);
  });
});
