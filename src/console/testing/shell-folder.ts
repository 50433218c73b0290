import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export const SHELL_TEXT =
  '<!doctype html><title>Console</title><script src="/console/assets/app.0a1b2c3d.js"></script>';
export const SCRIPT_TEXT = 'document.title = "Play";'.repeat(40);

const FILES = {
  'index.html': { type: 'text/html; charset=utf-8', text: SHELL_TEXT },
  'assets/app.0a1b2c3d.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT_TEXT },
} as const;

/** A folder as the build leaves it; it goes with the test. */
export function shellFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  const files = Object.entries(FILES).map(([name, { type, text }]) => {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text));
    return [name, { type, etag: '"of the build"', br: `${name}.br`, gzip: `${name}.gz` }];
  });
  const manifest = { shell: 'index.html', files: Object.fromEntries(files) };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  // What lies beside the files of the manifest is nobody's.
  writeFileSync(join(folder, 'assets', 'secret.txt'), 'bytes of nobody');
  return folder;
}
