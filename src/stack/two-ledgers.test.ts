import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { FolderStore } from '../ledger/store/folder-store.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { copyLedgers, openStoredLedgers, verifyLedgers } from './stored-ledgers.ts';
import { openLedgerNode } from './ledger-node.ts';
import { Resources } from './node.ts';
import { NOTHING_PROVIDED } from './provision-options.ts';
import { openRollupNode } from './rollup-node.ts';
import { nodeContext } from './testing/node-context.ts';

/** The genesis hashes of both ledgers of a folder, which are opened and closed again. */
async function openBoth(folder: string, reset = false): Promise<{ base: string; rollup: string }> {
  const context = nodeContext(readConfig({ DATA_DIR: folder }));
  const resources = new Resources();
  try {
    const options = { reset, provision: NOTHING_PROVIDED, endpoint: null };
    const { ledger, layout, home } = resources.add(await openLedgerNode(context, options));
    const place = { base: ledger, layout, home, reset, endpoint: null };
    const { rollup } = resources.add(await openRollupNode(context, place));
    return { base: ledger.genesisHash, rollup: rollup.genesisHash };
  } finally {
    await resources.close();
  }
}

function removeBase(folder: string): void {
  for (const name of readdirSync(folder)) if (name !== 'rollup') rmSync(join(folder, name));
}

function swapRollups(one: string, other: string): void {
  const aside = join(one, 'aside');
  renameSync(join(one, 'rollup'), aside);
  renameSync(join(other, 'rollup'), join(one, 'rollup'));
  renameSync(aside, join(other, 'rollup'));
}

/** The result of `ledger verify` for a folder. */
async function soundnessOf(folder: string): Promise<readonly [boolean, readonly string[]]> {
  const kept = await openStoredLedgers(folder);
  try {
    const { isSound, damage } = verifyLedgers(kept);
    return [isSound, damage];
  } finally {
    await kept.close();
  }
}

/** The result of `ledger backup` for a folder. */
async function backupOf(folder: string): Promise<string> {
  const backup = join(temporaryFolder(), 'backup');
  await copyLedgers(folder, backup, () => () => undefined);
  return backup;
}

describe('a missing ledger of two', () => {
  it.each([
    ['base', removeBase],
    ['the rollup', (folder: string) => rmSync(join(folder, 'rollup'), { recursive: true })],
  ])('is an error until --reset (bug: without %s a new one was created silently)', async (_, lose) => {
    const folder = temporaryFolder();
    const before = await openBoth(folder);
    expect(await openBoth(folder)).toEqual(before);
    lose(folder);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(openBoth(folder)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
      await expect(openBoth(folder)).rejects.toThrow(/the stored ledger is missing.*--reset/);
    }
    const after = await openBoth(folder, true);
    expect(after.base).not.toBe(before.base);
    expect(after.rollup).not.toBe(before.rollup);
    expect(await openBoth(folder)).toEqual(after);
  });
});

describe('the rollup of another base ledger', () => {
  it('is rejected and kept (bug: it was deleted with its contents)', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    const before = { one: await openBoth(one), other: await openBoth(other) };
    swapRollups(one, other);
    for (const folder of [one, other]) {
      const opening = expect(openBoth(folder)).rejects;
      await opening.toMatchObject({
        code: 'LEDGER_DAMAGED',
        message: expect.stringMatching(/to another base/),
      });
    }
    swapRollups(one, other);
    expect({ one: await openBoth(one), other: await openBoth(other) }).toEqual(before);
  });
});

describe('a folder in which one ledger is an earlier copy', () => {
  it.each([
    ['base', removeBase],
    ['the rollup', (folder: string) => rmSync(join(folder, 'rollup'), { recursive: true })],
  ])(
    'is rejected and does not pass verification (bug: with an earlier copy of %s it was served)',
    async (_, lose) => {
      const [folder, copy, kept] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
      await openBoth(folder);
      cpSync(folder, copy, { recursive: true });
      const ids = await openBoth(folder);
      cpSync(folder, kept, { recursive: true });
      lose(folder);
      cpSync(copy, folder, { recursive: true, force: false });
      await expect(openBoth(folder)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
      await expect(openBoth(folder)).rejects.toThrow(/from different times/);
      expect(await soundnessOf(folder)).toEqual([false, [expect.stringMatching(/from different times/)]]);
      await expect(backupOf(folder)).rejects.toMatchObject({
        code: 'LEDGER_DAMAGED',
        message: expect.stringMatching(/from different times.*restore both from one backup/),
      });
      expect(await soundnessOf(kept)).toEqual([true, []]);
      expect(await openBoth(await backupOf(kept))).toEqual(ids);
      expect(await openBoth(kept)).toEqual(ids);
    },
  );
});

describe('a reset of two ledgers', () => {
  it('that fails at any of its writes leaves both or neither', async () => {
    const outcomes = new Set<string>();
    for (let writes = 0; ; writes++) {
      const folder = temporaryFolder();
      const before = await openBoth(folder);
      const spy = failAfter(writes);
      const isOver = await openBoth(folder, true).then(
        () => true,
        () => false,
      );
      spy.mockRestore();
      const after = await openBoth(folder);
      expect(after.base === before.base, `after ${writes} writes`).toBe(after.rollup === before.rollup);
      outcomes.add(after.base === before.base ? 'kept' : 'begun anew');
      if (isOver) break;
    }
    expect(outcomes).toEqual(new Set(['kept', 'begun anew']));
  }, 60_000);

  it('creates a new ledger if a file cannot be read', async () => {
    for (const lost of ['ledger.mdb', join('rollup', 'ledger.mdb')]) {
      const folder = temporaryFolder();
      const before = await openBoth(folder);
      writeFileSync(join(folder, lost), 'x'.repeat(100_000));
      await expect(openBoth(folder)).rejects.toMatchObject({ code: 'LEDGER_FOLDER_UNREADABLE' });
      const after = await openBoth(folder, true);
      expect([after.base, after.rollup]).not.toContain(before.base);
      expect([after.base, after.rollup]).not.toContain(before.rollup);
      expect(await openBoth(folder)).toEqual(after);
    }
  });
});

/** Makes the write after a number of others fail. */
function failAfter(writes: number) {
  let left = writes;
  const { commit } = FolderStore.prototype;
  return vi.spyOn(FolderStore.prototype, 'commit').mockImplementation(function (this: FolderStore, what) {
    // An end is no part of a reset, and only notes its slot.
    const isChange = Object.keys(what).length > 1;
    return !isChange || left-- !== 0
      ? commit.call(this, what)
      : Promise.reject(new Error('the machine went off'));
  });
}
