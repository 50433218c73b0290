import {
  constants,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { FolderStore } from './folder-store.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { FolderFiles } from './journal/folder-files.ts';
import type { SegmentFile } from './journal/journal-files.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { openLedgerFolder } from './ledger-folder.ts';
import { encodePosition } from './record-position.ts';
import type { LedgerStore } from './store.ts';
import { TAKE_OVER_LIMITS } from './take-over.ts';
import { PATIENCE } from '../../ports/testing/patience.ts';

const random = new SeededRandom('damage');
const address = addressOf(random.bytes(32));
const account = accountOf(SYSTEM_PROGRAM, random.bytes(60));
const record = makeRecord('damaged', { slot: 0x0102_0304_0506, index: 0x0708_090a });

/** A folder in which the database has everything. */
async function writtenFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = openLedgerFolder(folder, { logger: silentLogger });
  await store.commit({ slotCeiling: 7, accounts: [[address, account]], record, recordAddresses: [address] });
  await store.close();
  return folder;
}

/** Every read there is. */
function readAll(store: LedgerStore): unknown[] {
  return [
    store.slotCeiling,
    [...store.accounts()],
    [...store.recordsFrom(0)],
    store.record(record.signature),
    [...store.recordsNaming({ address, limit: 10 })],
  ];
}

function openAndRead(folder: string): unknown[] {
  const store = openLedgerFolder(folder, { logger: silentLogger });
  onTestFinished(() => store.close());
  return readAll(store);
}

/** Turns one bit in every copy of `needle` that the database file has, `offset` bytes into it. */
function flipIn(folder: string, needle: Uint8Array, offset: number): void {
  const file = join(folder, 'ledger.mdb');
  const bytes = readFileSync(file);
  const found: number[] = [];
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) found.push(at);
  expect(found.length).toBeGreaterThan(0);
  for (const at of found) bytes[at + offset] = (bytes[at + offset] as number) ^ 4;
  writeFileSync(file, bytes);
}

describe('a database in which a byte is another', () => {
  const position = encodePosition(record);
  it.each<[string, Uint8Array]>([
    ['the data of an account', account.data.subarray(0, 40)],
    ['the address of an account, and of what names it', addressBytes(address).subarray(0, 20)],
    ['a transaction', record.wire.subarray(50, 90)],
    ['the signature of a transaction', new Uint8Array(decodeBase58(record.signature)).subarray(0, 20)],
    ['the place of a transaction', position.subarray(4)],
    ['the state', Buffer.from('slotCeiling')],
  ])('is never believed: %s', async (_, needle) => {
    const whole = await writtenFolder();
    for (let offset = 0; offset < needle.length; offset += 3) {
      const folder = temporaryFolder();
      cpSync(whole, folder, { recursive: true });
      flipIn(folder, needle, offset);
      const error = failureOf(() => openAndRead(folder));
      expect(error).toMatchObject({ code: 'LEDGER_DAMAGED', context: { file: 'ledger.mdb' } });
      expect(error.message).toContain('--reset');
    }
  });

  it('is what makes the difference', async () => {
    const folder = await writtenFolder();
    expect(openAndRead(folder)).toEqual([7, [[address, account]], [record], record, [record]]);
  });
});

describe('a database file that was cut off', () => {
  const big = addressOf(random.bytes(32));

  /** A database with values on pages of their own, and pages at its end that were freed. */
  async function roomyFolder(): Promise<string> {
    const folder = await writtenFolder();
    const others = Array.from(
      { length: 12 },
      () => [addressOf(random.bytes(32)), accountOf(SYSTEM_PROGRAM, random.bytes(5_000))] as const,
    );
    const grown = accountOf(SYSTEM_PROGRAM, random.bytes(40_000));
    const gone = { ...grown, lamports: 0n };
    for (const accounts of [others, [[big, grown] as const], [[big, gone] as const], [], []]) {
      const store = openLedgerFolder(folder, { logger: silentLogger });
      await store.commit({ slotCeiling: 8, accounts });
      await store.close();
    }
    return folder;
  }

  it('is refused at any length, or lacks nothing (bug: the system ended the process with SIGBUS)', async () => {
    const whole = await roomyFolder();
    const { size } = statSync(join(whole, 'ledger.mdb'));
    const read = openAndRead(whole);
    let opened = 0;
    for (let length = 1; length < size; length += 8_189) {
      const folder = temporaryFolder();
      cpSync(join(whole, 'ledger.mdb'), join(folder, 'ledger.mdb'));
      truncateSync(join(folder, 'ledger.mdb'), length);
      const cut = readFileSync(join(folder, 'ledger.mdb'));
      const outcome = outcomeOf(() => openAndRead(folder));
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({
          code: 'LEDGER_DAMAGED',
          context: { file: 'ledger.mdb', offset: length },
        });
        expect(outcome.message).toContain('--reset');
        expect(readFileSync(join(folder, 'ledger.mdb')).equals(cut)).toBe(true);
      } else {
        expect(outcome).toEqual(read);
        opened++;
      }
    }
    // Both have been seen: refused in its inner part, opened where only free pages are gone.
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThan(size / 8_189 / 2);
  });

  it.each([20, 40, 100, 4_096, 4_100])(
    'is told from a file of another program after %i bytes',
    async (length) => {
      const folder = await writtenFolder();
      truncateSync(join(folder, 'ledger.mdb'), length);
      expect(failureOf(() => openAndRead(folder))).toMatchObject({
        code: 'LEDGER_DAMAGED',
        context: { offset: length },
      });
    },
  );
});

describe('a journal whose newest segment the database was told of', () => {
  const spoilings: [string, (file: string) => void][] = [
    ['is missing', (file) => rmSync(file)],
    ['ends inside of its first frame', (file) => truncateSync(file, 30)],
  ];
  const contentsOf = (folder: string): Map<string, string> =>
    new Map(
      readdirSync(folder)
        .filter((name) => name !== 'ledger.mdb-lock')
        .map((name) => [name, readFileSync(join(folder, name), 'base64')]),
    );

  it.each(spoilings)(
    'is refused when that %s (bug: a new ledger began in silence, or an older one went on)',
    async (_, spoil) => {
      // Once with nothing before it, once with a database that has all before it.
      for (const folder of [temporaryFolder(), await writtenFolder()]) {
        const database = new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX);
        const { taken } = database;
        const limits = { ...TAKE_OVER_LIMITS, delayMs: 1e9 };
        const files = new FolderFiles(folder);
        const store = new FolderStore({ database, files, random, logger: silentLogger, limits });
        onTestFinished(() => store.close());
        await store.commit({ slotCeiling: 8, accounts: [[address, account]] });
        await vi.waitFor(() => expect(database.acknowledged).toBe(taken + 1), PATIENCE);
        const copy = temporaryFolder();
        cpSync(folder, copy, { recursive: true });
        spoil(join(copy, readdirSync(copy).find((name) => name.startsWith('journal')) as string));
        const before = contentsOf(copy);
        const error = failureOf(() => openAndRead(copy));
        expect(error.code).toBe('LEDGER_DAMAGED');
        expect(error.message).toContain('--reset');
        // The database is closed before the lock is let go.
        await vi.waitFor(() => expect(contentsOf(copy)).toEqual(before), PATIENCE);
      }
    },
  );
});

describe('a folder from which the database is missing', () => {
  it('is refused when the journal begins later, and left as it is', async () => {
    const folder = await writtenFolder();
    const store = openLedgerFolder(folder, { logger: silentLogger });
    onTestFinished(() => store.close());
    await store.commit({ slotCeiling: 8, accounts: [[address, account]] });
    const copy = temporaryFolder();
    const segments = readdirSync(folder).filter((name) => name.startsWith('journal'));
    for (const name of segments) cpSync(join(folder, name), join(copy, name));
    const error = failureOf(() => openAndRead(copy));
    expect(error).toMatchObject({ code: 'LEDGER_DAMAGED', context: { file: segments[0], offset: 0 } });
    expect(error.message).toContain('entry 2 where entry 1 was to come');
    for (const name of segments)
      expect(readFileSync(join(copy, name))).toEqual(readFileSync(join(folder, name)));
  });
});

describe.runIf(process.platform === 'linux')('a disk without room', () => {
  /** Its segments are the device that has no room for anything; everything else is as on any disk. */
  class FullFiles extends FolderFiles {
    isFull = false;

    override async create(name: string): Promise<SegmentFile> {
      const file = await super.create(name);
      const full = await open('/dev/full', constants.O_RDWR);
      return {
        ...file,
        write: async (bytes, at) =>
          this.isFull ? (await full.write(bytes, 0, bytes.length, at)).bytesWritten : file.write(bytes, at),
        close: async () => {
          await full.close();
          await file.close();
        },
      };
    }
  }

  it('is told of, and what was acknowledged before is there afterwards', async () => {
    const folder = temporaryFolder();
    const files = new FullFiles(folder);
    const store = new FolderStore({
      database: new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX),
      files,
      random,
      logger: silentLogger,
      limits: TAKE_OVER_LIMITS,
    });
    await store.commit({
      slotCeiling: 7,
      accounts: [[address, account]],
      record,
      recordAddresses: [address],
    });
    const before = readAll(store);
    files.isFull = true;
    const failed = store.commit({ slotCeiling: 8, accounts: [] });
    await expect(failed).rejects.toMatchObject({ code: 'LEDGER_STOPPED', cause: { code: 'ENOSPC' } });
    await expect(failed).rejects.toThrow(/ENOSPC: no space left on device/);
    expect(readAll(store)).toEqual(before);
    await store.close();
    expect(openAndRead(folder)).toEqual(before);
  });
});

function failureOf(use: () => unknown): ServiceError {
  const outcome = outcomeOf(use);
  if (outcome instanceof Error) return outcome as ServiceError;
  throw new Error('the damage was not noticed');
}

function outcomeOf(use: () => unknown): unknown {
  try {
    return use();
  } catch (error) {
    return error;
  }
}
