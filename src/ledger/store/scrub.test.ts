import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLedgerFolder } from './ledger-folder.ts';
import { LmdbTables } from './lmdb-tables.ts';
import { Scrub } from './scrub.ts';
import type { LedgerStore } from './store.ts';
import { swapPages } from './testing/swap-pages.ts';

const random = new SeededRandom('scrub');
const accounts = Array.from(
  { length: 1_000 },
  () => [addressOf(random.bytes(32)), accountOf(SYSTEM_PROGRAM, random.bytes(60))] as const,
);

async function writtenFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = openLedgerFolder(folder, { logger: silentLogger });
  await store.commit({ slotCeiling: 7, accounts });
  await store.close();
  return folder;
}

function open(folder: string): LedgerStore {
  const store = openLedgerFolder(folder, { logger: silentLogger });
  onTestFinished(() => store.close());
  return store;
}

/** What is told in as many steps as it takes to check everything once. */
const checkAll = (store: LedgerStore) => Array.from({ length: 40 }, () => store.checkSome()).flat();

describe('the check of what is stored', () => {
  it('finds nothing where nothing is damaged', async () => {
    expect(checkAll(open(await writtenFolder()))).toEqual([]);
  });

  it('names what is damaged though nobody reads it, and goes on', async () => {
    const folder = await writtenFolder();
    const spoilt = [accounts[10], accounts[700]].map((entry) => entry as (typeof accounts)[number]);
    const file = join(folder, 'ledger.mdb');
    const bytes = readFileSync(file);
    for (const [, { data }] of spoilt) {
      // Pages that were freed still have copies.
      for (let at = bytes.indexOf(data); at >= 0; at = bytes.indexOf(data, at + 1)) {
        bytes[at] = (bytes[at] as number) ^ 4;
      }
    }
    writeFileSync(file, bytes);
    const told = checkAll(open(folder));
    for (const [address] of spoilt) {
      const hex = Buffer.from(addressBytes(address)).toString('hex');
      const naming = told.find(({ message }) => message.includes(hex));
      expect(naming).toMatchObject({ code: 'LEDGER_DAMAGED', context: { file: 'ledger.mdb' } });
    }
    expect(told.every(({ code }) => code === 'LEDGER_DAMAGED')).toBe(true);
  });

  it.each(['homes', 'owned', 'holdings', 'signed', 'history', 'messages'] as const)(
    'says where a page of %s lies in the place of another, and comes to the end (bug: each entry was good)',
    async (name) => {
      const file = join(temporaryFolder(), 'ledger.mdb');
      const keys = Array.from({ length: 2_000 }, () => Buffer.from(random.bytes(40)));
      const written = new LmdbTables(file);
      await written.write(() => keys.forEach((key) => written[name].put(key, key.subarray(0, 8))));
      await written.close();
      const inOrder = keys.toSorted((one, other) => one.compare(other));
      swapPages(file, inOrder[700] as Buffer, inOrder[1_400] as Buffer);
      const tables = new LmdbTables(file);
      onTestFinished(() => tables.close());
      const scrub = new Scrub();
      const told: ServiceError[] = [];
      for (let steps = 0; steps < 100 && scrub.rounds === 0; steps++) told.push(...scrub.step(tables));
      expect(scrub.rounds).toBe(1);
      expect(told.length).toBeGreaterThan(0);
      for (const { code, message } of told) {
        expect([code, message]).toEqual(['LEDGER_DAMAGED', expect.stringContaining(` in ${name}`)]);
      }
    },
  );
});
