import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../src/ledger/testing/temporary-folder.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { assertProjectBuilt } from '../built.ts';

const LOCKER = fileURLToPath(new URL('locker.mjs', import.meta.url));
const PROCESSES = 5;
const ROUNDS = 8;

describe('a ledger folder that several processes open at the same moment', () => {
  it('is locked by one of them, even after the previous holder was killed', async () => {
    assertProjectBuilt();
    const lockers = Array.from({ length: PROCESSES }, () => fork(LOCKER));
    onTestFinished(() => lockers.forEach((locker) => locker.kill('SIGKILL')));
    await Promise.all(lockers.map((locker) => once(locker, 'message')));
    for (let round = 0; round < ROUNDS; round++) {
      const folder = temporaryFolder();
      if (round % 2 > 0) expect(spawnSync(process.execPath, [LOCKER, folder]).signal).toBe('SIGKILL');
      const openAll = async (): Promise<readonly string[]> => {
        const task = { folder, atMs: systemClock.now() + 10 };
        const told = lockers.map(async (locker) => {
          const answer = once(locker, 'message');
          locker.send(task);
          return String((await answer)[0]);
        });
        return (await Promise.all(told)).toSorted();
      };
      const refused = Array<string>(PROCESSES).fill('LEDGER_FOLDER_IN_USE');
      expect(await openAll()).toEqual([...refused.slice(1), 'held']);
      expect(await openAll()).toEqual(refused);
    }
  }, 300_000);
});
