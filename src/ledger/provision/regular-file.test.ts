import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readAccountFile, readProgramFile, readRegularFile } from './provided-accounts.ts';

const MIB = 1024 * 1024;

function fileOf(bytes: number): string {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  truncateSync(file, bytes);
  return file;
}

function pipe(): string {
  const file = join(temporaryFolder(), 'pipe');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  return file;
}

describe('readRegularFile', () => {
  it('reads a file up to the limit', () => {
    expect(readRegularFile(fileOf(MIB), MIB)).toHaveLength(MIB);
  });

  it.each([
    ['a device', () => '/dev/zero', 'is not a file'],
    ['a pipe', pipe, 'is not a file'],
    ['a folder', temporaryFolder, 'is a folder, not a file'],
    ['nothing', () => '/nonexistent', 'does not exist'],
    ['too long a file', () => fileOf(MIB + 1), 'has more than 1 MiB'],
  ])('rejects %s (bug: an endless device was read forever)', (_, make, words) => {
    const path = make();
    expect(() => readRegularFile(path, MIB)).toThrow(
      expect.objectContaining({ code: 'PROVISION_INVALID', message: `${path} ${words}` }),
    );
  });

  it('limits programs to the size of an account, and account files to its text', () => {
    expect(() => readProgramFile(fileOf(10 * MIB + 1))).toThrow('has more than 10 MiB');
    expect(() => readAccountFile(fileOf(64 * MIB + 1))).toThrow('has more than 64 MiB');
  });
});
