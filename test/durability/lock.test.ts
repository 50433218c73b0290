import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../src/ledger/testing/temporary-folder.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { assertProjectBuilt } from '../built.ts';

const LOCKER = fileURLToPath(new URL('locker.mjs', import.meta.url));
const PROCESSES = 5;
const ROUNDS = 60;

/** A process that is gone. */
const GONE = JSON.stringify({ pid: 999_999_999, startedAt: null });

describe('a ledger folder that several processes take at the same moment', () => {
  it('is held by one of them, also where a dead one left its lock or died taking over', async () => {
    assertProjectBuilt();
    const lockers = Array.from({ length: PROCESSES }, () => fork(LOCKER));
    onTestFinished(() => lockers.forEach((locker) => locker.kill('SIGKILL')));
    await Promise.all(lockers.map((locker) => once(locker, 'message')));
    for (let round = 0; round < ROUNDS; round++) {
      const folder = temporaryFolder();
      if (round % 3 > 0) writeFileSync(join(folder, 'ledger.lock'), GONE);
      if (round % 3 > 1) writeFileSync(join(folder, 'ledger.lock.next'), GONE);
      const task = { folder, atMs: systemClock.now() + 10 };
      const told = await Promise.all(
        lockers.map(async (locker) => {
          const answer = once(locker, 'message');
          locker.send(task);
          return String((await answer)[0]);
        }),
      );
      const others = Array<string>(PROCESSES - 1).fill('LEDGER_FOLDER_IN_USE');
      expect(told.toSorted()).toEqual([...others, 'held']);
      expect(readdirSync(folder)).toEqual(['ledger.lock']);
    }
  }, 300_000);
});
