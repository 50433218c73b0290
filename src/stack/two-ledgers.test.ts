import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { FolderFiles } from '../ledger/store/journal/folder-files.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { systemClock } from '../ports/clock.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { closeResources, type Resources } from './resources.ts';
import { openLedgerNode, rollupFolder } from './ledger-node.ts';
import { NOTHING_PROVIDED } from './provision-options.ts';
import { openRollupNode } from './rollup-node.ts';

const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** The genesis hashes of both ledgers of a folder, which are opened and closed again. */
async function openBoth(folder: string, reset = false): Promise<{ base: string; rollup: string }> {
  const config = readConfig({ DATA_DIR: folder });
  const resources: Resources = [];
  const given = {
    config,
    ports,
    version: '0.0.0',
    guard: () => 'ok' as const,
    observe: () => undefined,
    addresses: null,
  };
  try {
    const base = await openLedgerNode({ ...given, reset, provision: NOTHING_PROVIDED }, resources);
    onTestFinished(() => base.server.pubsub.close());
    const { ledger, dataFolder } = base;
    const options = { ...given, base: ledger, dataFolder, url: null };
    const rollup = await openRollupNode(options, resources);
    onTestFinished(() => rollup.server.pubsub.close());
    return { base: ledger.genesisHash, rollup: rollup.rollup.genesisHash };
  } finally {
    await closeResources(resources);
  }
}

function removeBase(folder: string): void {
  for (const name of readdirSync(folder)) if (name !== 'rollup') rmSync(join(folder, name));
}

describe('two ledgers of which one is lost', () => {
  it.each([
    ['base', removeBase],
    ['the rollup', (folder: string) => rmSync(rollupFolder(folder), { recursive: true })],
  ])('are refused until --reset (bug: without %s a new one began in silence)', async (_, lose) => {
    const folder = temporaryFolder();
    const before = await openBoth(folder);
    expect(await openBoth(folder)).toEqual(before);
    lose(folder);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(openBoth(folder)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
      await expect(openBoth(folder)).rejects.toThrow(/had begun there, and nothing of it is left.*--reset/);
    }
    const after = await openBoth(folder, true);
    expect(after.base).not.toBe(before.base);
    expect(after.rollup).not.toBe(before.rollup);
    expect(await openBoth(folder)).toEqual(after);
  });
});

describe('a reset of two ledgers', () => {
  it('that ended after any of its steps leaves both or neither', async () => {
    const outcomes = new Set<string>();
    for (let steps = 0; ; steps++) {
      const folder = temporaryFolder();
      const before = await openBoth(folder);
      const restore = failAfter(steps);
      const isOver = await openBoth(folder, true).then(
        () => true,
        () => false,
      );
      restore();
      const after = await openBoth(folder);
      expect(after.base === before.base, `after ${steps} steps`).toBe(after.rollup === before.rollup);
      outcomes.add(after.base === before.base ? 'kept' : 'begun anew');
      expect(readdirSync(folder)).not.toContain('ledger.reset');
      if (isOver) break;
    }
    expect(outcomes).toEqual(new Set(['kept', 'begun anew']));
  }, 60_000);
});

/** Has every step of a reset fail after so many of them, until it is restored. */
function failAfter(steps: number): () => void {
  let left = steps;
  const { keep, remove } = FolderFiles.prototype;
  const step = (): void => {
    if (left-- <= 0) throw new Error('the machine went off');
  };
  const spies = [
    vi.spyOn(FolderFiles.prototype, 'keep').mockImplementation(function (this: FolderFiles, name, bytes) {
      step();
      keep.call(this, name, bytes);
    }),
    vi.spyOn(FolderFiles.prototype, 'remove').mockImplementation(function (this: FolderFiles, name) {
      step();
      remove.call(this, name);
    }),
  ];
  return () => spies.forEach((spy) => spy.mockRestore());
}
