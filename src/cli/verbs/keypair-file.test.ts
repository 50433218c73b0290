import { existsSync, fstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { makeKeypair } from './wallet.ts';

/** The inodes of flushed files, in order, and the error that a flush ends with. */
const disk = { flushed: [] as number[], fault: null as Error | null };

function flush(handle: number): void {
  if (disk.fault !== null) throw disk.fault;
  disk.flushed.push(fstatSync(handle).ino);
}

const folder = mkdtempSync(join(tmpdir(), 'keypair-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  disk.flushed = [];
  disk.fault = null;
});

const inodeOf = (path: string): number => statSync(path).ino;

it('flushes a new key to disk before it returns (bug: a crash could lose it)', () => {
  const path = join(folder, 'id.json');
  const { address } = makeKeypair(path, flush);
  expect(disk.flushed).toEqual([inodeOf(path), inodeOf(folder)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => makeKeypair(path, flush)).toThrow('already exists');
  expect(address.length).toBeGreaterThan(31);
});

it('flushes the folders that it creates to disk', () => {
  const path = join(folder, 'config', 'solana', 'id.json');
  makeKeypair(path, flush);
  const solana = dirname(path);
  expect(disk.flushed).toEqual([path, solana, dirname(solana), folder].map(inodeOf));
});

it('deletes a key that could not be written to disk', () => {
  const path = join(folder, 'lost.json');
  disk.fault = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  expect(() => makeKeypair(path, flush)).toThrow(`${path} cannot be written (ENOSPC)`);
  expect(existsSync(path)).toBe(false);
  disk.fault = null;
  makeKeypair(path, flush);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(64);
});
