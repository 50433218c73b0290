import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isServiceError } from '../errors/service-error.ts';
import { readConfig } from './config.ts';
import { readSecretFile } from './secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'secret-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('readSecretFile', () => {
  it('reads a file that only its owner may open', () => {
    expect(readSecretFile(fileOf('private', ' [1,2,3]\n', 0o600))).toBe('[1,2,3]');
    expect(readSecretFile(fileOf('read-only', '[4]', 0o400))).toBe('[4]');
  });

  it.each([0o640, 0o604, 0o644, 0o620, 0o602, 0o666])('rejects a file with the permissions %o', (mode) => {
    const path = fileOf(`open-${mode}`, 'c4n4ry', mode);
    expect(() => readSecretFile(path)).toThrow(/chmod 600/);
    const link = join(folder, `link-${mode}`);
    symlinkSync(path, link);
    expect(() => readSecretFile(link), 'by a link').toThrow(/chmod 600/);
  });

  it('rejects a missing file, a folder and a large file', () => {
    expect(() => readSecretFile(join(folder, 'missing'))).toThrow(/cannot be read \(ENOENT\)/);
    chmodSync(folder, 0o700);
    expect(() => readSecretFile(folder)).toThrow(/does not name a file/);
    expect(() => readSecretFile(fileOf('large', 'x'.repeat(4_097), 0o600))).toThrow(/more than 4096 bytes/);
  });

  it('provides the sponsor key of the configuration, and shows nothing of it in a fault', () => {
    const path = fileOf('sponsor', '[7,7]', 0o600);
    const { gaslessSponsorSecretKey } = readConfig({ GASLESS_SPONSOR_SECRET_KEY_FILE: path });
    expect(gaslessSponsorSecretKey?.reveal()).toBe('[7,7]');
    try {
      readConfig({ GASLESS_SPONSOR_SECRET_KEY_FILE: path, GASLESS_SPONSOR_SECRET_KEY: '[8,8]' });
      expect.unreachable();
    } catch (error) {
      if (!isServiceError(error, 'CONFIG_INVALID')) throw error;
      expect(error.message).toContain('are both set: unset one of them');
      expect(error.message).not.toMatch(/7,7|8,8/);
    }
  });
});
