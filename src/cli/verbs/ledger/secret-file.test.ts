import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../ledger/testing/temporary-folder.ts';
import { SecretFile } from './secret-file.ts';

it('a secret file that cannot be put in place names why, and is discarded', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'export');
  const file = new SecretFile(path);
  file.write('secret');
  mkdirSync(path);
  expect(() => file.finish()).toThrow(`${path} cannot be written (EISDIR)`);
  file.discard();
  expect(readdirSync(folder)).toEqual(['export']);
});

it('a secret file is there as a whole, once it is finished', () => {
  const folder = temporaryFolder();
  const file = new SecretFile(join(folder, 'export'));
  file.write('secret');
  file.finish();
  expect(readdirSync(folder)).toEqual(['export']);
  expect(readFileSync(join(folder, 'export'), 'utf8')).toBe('secret');
});

it('a secret file that cannot be begun leaves no signal listened to', () => {
  const before = process.listenerCount('SIGTERM');
  expect(() => new SecretFile(join(temporaryFolder(), 'nowhere', 'export'))).toThrow('(ENOENT)');
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
