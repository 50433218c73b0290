import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { type Database, open } from 'lmdb';
import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLedgerFolder, resetLedgerFolder } from './ledger-folder.ts';
import { toEarlierFormat } from './testing/earlier-format.ts';

function failure(use: () => unknown): ServiceError {
  try {
    use();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('nothing failed');
}

function sealedFormat(version: number): Buffer {
  const value = serialize(version);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(Buffer.concat([Buffer.from('format'), value])));
  return Buffer.concat([sum, value]);
}

describe('openLedgerFolder', () => {
  it('makes folder and file for the owner alone, also in a folder that is open to all', async () => {
    const folder = join(temporaryFolder(), 'deep', 'ledger');
    await openLedgerFolder(folder, { logger: silentLogger }).close();
    expect(statSync(folder).mode & 0o077).toBe(0);
    chmodSync(folder, 0o755);
    await openLedgerFolder(folder, { logger: silentLogger }).close();
    expect(statSync(join(folder, 'ledger.mdb')).mode & 0o077).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['ledger.mdb', 'ledger.mdb-lock']);
  });

  it('refuses a folder that is open already, and takes it once that is closed', async () => {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder, { logger: silentLogger });
    expect(failure(() => openLedgerFolder(folder, { logger: silentLogger })).code).toBe(
      'LEDGER_FOLDER_IN_USE',
    );
    await store.close();
    await openLedgerFolder(folder, { logger: silentLogger }).close();
  });

  it.each([
    [
      'a file that is no ledger',
      (folder: string) => writeFileSync(join(folder, 'ledger.mdb'), 'x'.repeat(9_000)),
    ],
    ['a file cut short', (folder: string) => writeFileSync(join(folder, 'ledger.mdb'), 'x')],
    [
      'a file of zeros',
      (folder: string) => writeFileSync(join(folder, 'ledger.mdb'), new Uint8Array(20_000)),
    ],
    ['a folder in place of the file', (folder: string) => mkdirSync(join(folder, 'ledger.mdb'))],
  ])('says what to do about %s', async (_, spoil) => {
    const folder = temporaryFolder();
    spoil(folder);
    const error = failure(() => openLedgerFolder(folder, { logger: silentLogger }));
    expect(error.code).toBe('LEDGER_FOLDER_UNREADABLE');
    expect(error.message).toContain(folder);
    expect(error.message).toContain('--reset');
    expect(readdirSync(folder)).not.toContain('ledger.lock');
  });

  it.each([
    [1, 'ledger', serialize({ formatVersion: 1 })],
    [99, 'format', sealedFormat(99)],
  ])('does not read a ledger of format %i', async (version, key, value) => {
    const folder = temporaryFolder();
    const root = open({ path: join(folder, 'ledger.mdb'), noSubdir: true });
    await root.openDB({ name: 'meta', encoding: 'binary' }).put(key, value);
    await root.close();
    const error = failure(() => openLedgerFolder(folder, { logger: silentLogger }));
    expect(error.code).toBe('LEDGER_FOLDER_UNREADABLE');
    expect(error.message).toMatch(new RegExp(`format ${version}.*--reset`));
  });

  it.each([2, 3, 4, 5, 6] as const)(
    'goes on with a ledger of format %i, which earlier releases then refuse',
    async (format) => {
      const folder = temporaryFolder();
      const first = openLedgerFolder(folder, { logger: silentLogger });
      const identity = {
        genesisHash: '11111111111111111111111111111112',
        blockhashSeed: new Uint8Array(32),
        faucetSeed: new Uint8Array(32),
        identitySeed: new Uint8Array(32),
      };
      await first.commit({ slotCeiling: 9, identity });
      await first.close();
      const meta = async <T>(use: (table: Database<Buffer, string>) => T): Promise<T> => {
        const root = open({ path: join(folder, 'ledger.mdb'), noSubdir: true });
        const result = await use(root.openDB({ name: 'meta', encoding: 'binary' }));
        await root.close();
        return result;
      };
      await toEarlierFormat(folder, format);
      expect(await meta((table) => Buffer.from(table.get('format') ?? []))).toEqual(sealedFormat(format));
      const second = openLedgerFolder(folder, { logger: silentLogger });
      expect(second.slotCeiling).toBe(9);
      await second.close();
      expect(await meta((table) => Buffer.from(table.get('format') ?? []))).toEqual(sealedFormat(7));
    },
  );

  it('says so when a file stands where the folder should be', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(failure(() => openLedgerFolder(file, { logger: silentLogger })).code).toBe(
      'LEDGER_FOLDER_UNREADABLE',
    );
  });

  it('does not advise --reset where it cannot help (bug: on a disk that cannot be written it did)', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { message } = failure(() => openLedgerFolder(join(file, 'below'), { logger: silentLogger }));
    expect(message).toContain(
      'cannot be used: a file stands there, or above it. Choose another folder with DATA_DIR',
    );
    expect(message).not.toContain('--reset');
  });

  it('says so when the folder cannot be written', ({ skip }) => {
    if (process.getuid?.() === 0) return skip('whoever is root can write to every folder');
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    expect(failure(() => openLedgerFolder(folder, { logger: silentLogger })).code).toBe(
      'LEDGER_FOLDER_UNREADABLE',
    );
    chmodSync(folder, 0o700);
  });
});

describe('a ledger folder that another process took over', () => {
  it('is written to no more', async () => {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder, { logger: silentLogger });
    await store.commit({ slotCeiling: 8 });
    writeFileSync(join(folder, 'other'), '{}');
    renameSync(join(folder, 'other'), join(folder, 'ledger.lock'));
    while (store.isWritable) await setTimeout(10);
    await expect(store.commit({ slotCeiling: 9 })).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    await store.close();
    expect(readdirSync(folder)).toContain('ledger.lock');
  });
});

describe('resetLedgerFolder', () => {
  it('removes the ledger and nothing else', async () => {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder, { logger: silentLogger });
    await store.commit({ slotCeiling: 9 });
    await store.close();
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    resetLedgerFolder(folder);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
    const fresh = openLedgerFolder(folder, { logger: silentLogger });
    expect(fresh.slotCeiling).toBe(0);
    await fresh.close();
  });

  it.each([true, false])(
    'that was killed in the middle is ended by the next start, the journal gone already: %s',
    async (isJournalGone) => {
      const folder = temporaryFolder();
      const limits = { bytes: 1e9, delayMs: 1e9, stepCommits: 64, stepBytes: 1e6, bytesMax: 1e9 };
      const store = openLedgerFolder(folder, { logger: silentLogger });
      await store.commit({ slotCeiling: 8 });
      await store.close();
      const killed = openLedgerFolder(folder, { logger: silentLogger, limits });
      await killed.commit({ slotCeiling: 9 });
      const left = temporaryFolder();
      cpSync(folder, left, { recursive: true, filter: (file) => !file.endsWith('ledger.lock') });
      await killed.close();
      // What a reset leaves behind that is killed after its first steps.
      writeFileSync(join(left, 'ledger.reset'), '');
      for (const name of readdirSync(left)) {
        if (isJournalGone && name.startsWith('journal')) rmSync(join(left, name));
      }
      const fresh = openLedgerFolder(left, { logger: silentLogger });
      expect(fresh.slotCeiling).toBe(0);
      await fresh.close();
      expect(readdirSync(left)).not.toContain('ledger.reset');
    },
  );

  it('leaves a ledger in use alone', async () => {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder, { logger: silentLogger });
    expect(failure(() => resetLedgerFolder(folder)).code).toBe('LEDGER_FOLDER_IN_USE');
    await store.commit({ slotCeiling: 9 });
    await store.close();
  });

  it('has nothing to do where there is no folder', () => {
    resetLedgerFolder(join(temporaryFolder(), 'nothing here'));
  });
});
