import { EventEmitter } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../ledger/testing/temporary-folder.ts';
import { leavingNothingOf } from '../ledger.ts';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s removes half-written files, then ends the process by the same signal or with exit code %i',
  (signal, code) => {
    const folder = temporaryFolder();
    const path = join(folder, 'half');
    writeFileSync(path, 'secret');
    const ends: unknown[] = [];
    const listeners = new EventEmitter();
    const ending = Object.assign(listeners, {
      pid: 7,
      kill: (pid: number, sent: NodeJS.Signals) => ends.push([pid, sent, listeners.listenerCount(sent)]),
      exit: (ended: unknown) => ends.push(ended) as never,
    });
    leavingNothingOf(path, ending as never);
    ending.emit(signal, signal);
    expect(readdirSync(folder)).toEqual([]);
    // Nobody listens any more when it is sent, so that it ends the process.
    expect(ends).toEqual([[7, signal, 0], code]);
  },
);

it('stops listening to signals once the copy is complete', () => {
  const ending = new EventEmitter();
  const release = leavingNothingOf(join(temporaryFolder(), 'whole'), ending as never);
  release();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(ending.listenerCount(signal)).toBe(0);
});
