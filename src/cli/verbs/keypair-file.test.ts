import { existsSync, fstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { makeKeypair } from './keypair-file.ts';

/** The inodes of what was flushed, in this order; the fault that a flush ends with. */
const disk = vi.hoisted(() => ({ flushed: [] as number[], fault: null as Error | null }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const fsyncSync = (handle: number): void => {
    if (disk.fault !== null) throw disk.fault;
    disk.flushed.push(fstatSync(handle).ino);
    real.fsyncSync(handle);
  };
  return { ...real, fsyncSync };
});

const folder = mkdtempSync(join(tmpdir(), 'keypair-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  disk.flushed = [];
  disk.fault = null;
});

const inodeOf = (path: string): number => statSync(path).ino;

it('has a key on the disk before anybody is told of it (bug: a crash could take it)', () => {
  const path = join(folder, 'id.json');
  const { address } = makeKeypair(path);
  expect(disk.flushed).toEqual([inodeOf(path), inodeOf(folder)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => makeKeypair(path)).toThrow('is there already');
  expect(address.length).toBeGreaterThan(31);
});

it('has the folders on the disk that are made for it', () => {
  const path = join(folder, 'config', 'solana', 'id.json');
  makeKeypair(path);
  const solana = dirname(path);
  expect(disk.flushed).toEqual([path, solana, dirname(solana), folder].map(inodeOf));
});

it('leaves no key behind that the disk does not take', () => {
  const path = join(folder, 'lost.json');
  disk.fault = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  expect(() => makeKeypair(path)).toThrow(`${path} cannot be written (ENOSPC)`);
  expect(existsSync(path)).toBe(false);
  disk.fault = null;
  makeKeypair(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(64);
});
