import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { NOOP_PROGRAM, SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { findDumpFolders, readProgramDump } from './dumps.ts';

const root = mkdtempSync(join(tmpdir(), 'spl-local-dumps-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('the dumps of the validator package', () => {
  it('hold programs as ELF', () => {
    const code = readProgramDump(NOOP_PROGRAM);
    expect(Buffer.from(code.subarray(0, 4)).toString('latin1')).toBe('\x7fELF');
  });

  it('name the fix when one is missing', () => {
    let thrown: unknown;
    try {
      readProgramDump(SYSTEM_PROGRAM);
    } catch (error) {
      thrown = error;
    }
    expect(isServiceError(thrown, 'PROGRAM_BINARIES_MISSING')).toBe(true);
    expect((thrown as Error).message).toContain('npm ci');
  });

  it('are read from the cache if the package is not installed, and checked at each read', () => {
    const folders = { installed: null, cache: join(root, 'kept') };
    cpSync(String(findDumpFolders().installed), folders.cache, { recursive: true });
    expect(readProgramDump(NOOP_PROGRAM, folders)).toEqual(readProgramDump(NOOP_PROGRAM));
    writeFileSync(join(folders.cache, `${NOOP_PROGRAM}.so`), 'another program');
    expect(() => readProgramDump(NOOP_PROGRAM, folders)).toThrow('is missing or has the wrong hash');
  });
});
