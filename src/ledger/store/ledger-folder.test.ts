import { open } from 'lmdb';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { copyLedgerFiles, openLedgerFolder } from './ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from './store.ts';

const random = new SeededRandom('ledger folders');

function drawIdentity(): LedgerIdentity {
  const [blockhashSeed, faucetSeed, identitySeed] = [random.bytes(32), random.bytes(32), random.bytes(32)];
  return { genesisHash: addressOf(random.bytes(32)), blockhashSeed, faucetSeed, identitySeed };
}

function failure(use: () => unknown): ServiceError {
  try {
    use();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('nothing failed');
}

/** An account that only this commit has, and a transaction. */
function numbered(n: number) {
  const data = new Uint8Array(n % 5 === 0 ? 20_000 : 100).fill(n);
  const record = makeRecord(`transaction ${n}`, { slot: n, index: 0 });
  const address = addressOf(Buffer.alloc(32, String(n).padStart(32, '0')));
  return { slotCeiling: n, accounts: [[address, accountOf(SYSTEM_PROGRAM, data, 1n)]] as const, record };
}

async function fill(folder: string, count: number): Promise<LedgerIdentity> {
  const store = openLedgerFolder(folder);
  const identity = drawIdentity();
  await store.commit({ identity, slotCeiling: 0 });
  for (let n = 1; n <= count; n++) await store.commit(numbered(n));
  await store.close();
  return identity;
}

const whatIsIn = (store: LedgerStore) => ({
  accounts: [...store.accounts()],
  records: [...store.recordsFrom(0)],
  slot: store.slotCeiling,
});

describe('openLedgerFolder', () => {
  it('creates the folder and file for their owner only, even in a world-writable folder', async () => {
    const folder = join(temporaryFolder(), 'deep', 'ledger');
    await openLedgerFolder(folder).close();
    expect(statSync(folder).mode & 0o077).toBe(0);
    chmodSync(folder, 0o755);
    await openLedgerFolder(folder).close();
    expect(statSync(join(folder, 'ledger.mdb')).mode & 0o077).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['ledger.mdb', 'ledger.mdb-lock']);
  });

  it('rejects a folder that is already open, and opens it once it is closed', async () => {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder);
    expect(failure(() => openLedgerFolder(folder)).code).toBe('LEDGER_FOLDER_IN_USE');
    await store.close();
    await openLedgerFolder(folder).close();
  });

  it.each([
    ['a file that is not a ledger', (file: string) => writeFileSync(file, 'x'.repeat(9_000))],
    ['a truncated file', (file: string) => writeFileSync(file, 'x')],
    ['a file of zeros', (file: string) => writeFileSync(file, new Uint8Array(20_000))],
    ['a folder in place of the file', (file: string) => mkdirSync(file)],
    ['the first page of an LMDB file', (file: string) => truncateSync(makeOther(file), 4_096)],
    ['an LMDB file of another program', makeOther],
  ])('reports how to fix %s, and starts a new ledger there with --reset', async (_, spoil) => {
    const folder = temporaryFolder();
    spoil(join(folder, 'ledger.mdb'));
    for (let attempt = 0; attempt < 2; attempt++) {
      const error = failure(() => openLedgerFolder(folder));
      expect(error.code).toBe('LEDGER_FOLDER_UNREADABLE');
      expect(error.message).toContain(folder);
      expect(error.message).toContain('--reset');
    }
    const store = openLedgerFolder(folder, { reset: true });
    await store.commit({ identity: drawIdentity(), slotCeiling: 4 });
    await store.close();
    const again = openLedgerFolder(folder);
    expect(again.slotCeiling).toBe(4);
    await again.close();
  });

  it.each([
    ['format 2', Buffer.of(2)],
    ['another format', Buffer.from('seven')],
  ])('does not read a ledger of %s', (name, value) => {
    const folder = temporaryFolder();
    const root = open({ path: join(folder, 'ledger.mdb'), noSubdir: true });
    root.openDB({ name: 'meta', encoding: 'binary' }).putSync('format', value);
    void root.close();
    const error = failure(() => openLedgerFolder(folder));
    expect(error.code).toBe('LEDGER_FOLDER_UNREADABLE');
    expect(error.message).toMatch(new RegExp(`it has ${name}, but this release reads format 1.*--reset`));
  });

  it('rejects a file that was truncated anywhere, unless no data is missing, and does not change it', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'ledger.mdb');
    await fill(folder, 60);
    const whole = openLedgerFolder(folder);
    const all = whatIsIn(whole);
    await whole.close();
    const { size } = statSync(file);
    const bytes = readFileSync(file);
    let refused = 0;
    for (let kept = 2 * 4_096; kept < size; kept += 4_096 * 3 + 1_000) {
      rmSync(file);
      writeFileSync(file, bytes.subarray(0, kept));
      let store: LedgerStore | undefined;
      try {
        store = openLedgerFolder(folder);
      } catch (error) {
        expect(error).toMatchObject({ code: 'LEDGER_DAMAGED' });
        expect((error as Error).message).toContain(`${file} at byte ${kept}`);
        expect(statSync(file).size).toBe(kept);
        refused++;
      }
      if (store === undefined) continue;
      expect(whatIsIn(store)).toEqual(all);
      await store.close();
    }
    expect(refused).toBeGreaterThan(10);
  });

  it('reports a ledger that must exist and does not', async () => {
    const folder = temporaryFolder();
    const error = failure(() => openLedgerFolder(folder, { mustExist: true }));
    expect(error.code).toBe('LEDGER_DAMAGED');
    await fill(folder, 1);
    await openLedgerFolder(folder, { mustExist: true }).close();
  });

  it('reports a file at the path of the folder', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(failure(() => openLedgerFolder(file)).code).toBe('LEDGER_FOLDER_UNREADABLE');
  });

  it('does not advise --reset if it cannot help (bug: it did on a read-only disk)', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { message } = failure(() => openLedgerFolder(join(file, 'below')));
    expect(message).toContain(
      'cannot be used: a file exists there or in place of a parent folder. Choose another folder with DATA_DIR',
    );
    expect(message).not.toContain('--reset');
  });

  it('reports a folder that cannot be written', ({ skip }) => {
    if (process.getuid?.() === 0) return skip('whoever is root can write to every folder');
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    expect(failure(() => openLedgerFolder(folder)).code).toBe('LEDGER_FOLDER_UNREADABLE');
    chmodSync(folder, 0o700);
  });
});

/** An LMDB file that has nothing to do with a ledger. */
function makeOther(file: string): string {
  const root = open({ path: file, noSubdir: true });
  root.openDB({ name: 'answers' }).putSync('a', 1);
  void root.close();
  return file;
}

describe('a commit', () => {
  it('that fails is not stored, nor is any later one, and the ledger is stopped until a restart', async () => {
    const folder = temporaryFolder();
    const store = openLedgerFolder(folder);
    await store.commit({ identity: drawIdentity(), slotCeiling: 0 });
    await store.commit(numbered(1));
    const before = whatIsIn(store);
    // No name that can be stored: found in the midst of the transaction, after what comes before it.
    const broken = { ...numbered(3), recordAddresses: [Symbol('no name')] as never };
    const commits = [numbered(2), broken, numbered(4)];
    const results = await Promise.allSettled(commits.map((commit) => store.commit(commit)));
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'LEDGER_STOPPED' } });
    expect(store.isWritable).toBe(false);
    await expect(store.commit(numbered(5))).rejects.toMatchObject({ code: 'LEDGER_STOPPED' });
    expect(whatIsIn(store)).toEqual(before);
    await store.close();
    const again = openLedgerFolder(folder);
    expect(whatIsIn(again)).toEqual(before);
    await again.commit(numbered(2));
    await again.close();
  });
});

describe('copyLedgerFiles', () => {
  it('makes copies that only their user can read', async () => {
    const folder = temporaryFolder();
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    await fill(one, 20);
    await fill(other, 10);
    const copies = [join(folder, 'copies'), join(folder, 'copies', 'other')] as const;
    await copyLedgerFiles([
      [one, copies[0]],
      [other, copies[1]],
    ]);
    for (const [from, copy] of [
      [one, copies[0]],
      [other, copies[1]],
    ] as const) {
      const stores = [openLedgerFolder(from), openLedgerFolder(copy)] as const;
      expect(whatIsIn(stores[1])).toEqual(whatIsIn(stores[0]));
      for (const store of stores) await store.close();
      expect(statSync(join(copy, 'ledger.mdb')).mode & 0o077).toBe(0);
    }
  });
});
