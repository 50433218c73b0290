import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export const SHELL_TEXT =
  '<!doctype html><title>Console</title><script src="/console/assets/app.0a1b2c3d.js"></script>';
export const SCRIPT_TEXT = 'document.title = "Play";'.repeat(40);

const FILES = { 'index.html': SHELL_TEXT, 'assets/app.0a1b2c3d.js': SCRIPT_TEXT } as const;

/** Creates a folder like the build's, which is deleted after the test. */
export function shellFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
  }
  // The service must not serve a file that is not part of the page.
  writeFileSync(join(folder, 'assets', 'secret.txt'), 'bytes of nobody');
  return folder;
}
