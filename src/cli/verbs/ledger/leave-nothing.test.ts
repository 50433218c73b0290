import { EventEmitter } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../ledger/testing/temporary-folder.ts';
import { leavingNothingOf } from './leave-nothing.ts';

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s removes what is half written, and ends with %i', (signal, code) => {
  const folder = temporaryFolder();
  const path = join(folder, 'half');
  writeFileSync(path, 'secret');
  const codes: unknown[] = [];
  const ending = Object.assign(new EventEmitter(), { exit: (ended: unknown) => codes.push(ended) as never });
  const release = leavingNothingOf(path, ending as never);
  ending.emit(signal, signal);
  expect(readdirSync(folder)).toEqual([]);
  expect(codes).toEqual([code]);
  release();
  for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) expect(ending.listenerCount(each)).toBe(0);
});
