import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { readEnvFile } from './env-file.ts';

describe('readEnvFile', () => {
  it('reads the variables of the file', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), '# a comment\nPORT=2000\nDATA_DIR="/a b" # where\nBASE_RPC_URL=\n');
    expect(readEnvFile(folder)).toEqual({ PORT: '2000', DATA_DIR: '/a b', BASE_RPC_URL: '' });
  });

  it('is empty without a file', () => {
    expect(readEnvFile(temporaryFolder())).toEqual({});
  });

  it('explains that .env is a folder (bug: the error contained only the system code)', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.env'));
    expect(() => readEnvFile(folder)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/^\.env is a folder, .*: rename it/),
      }),
    );
  });
});
