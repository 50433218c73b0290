import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Within the project's tree, so that what is imported by its package's name is found. */
const CACHE = join('node_modules', '.cache', 'spl-private-payments');

/** What has been made in this process, by its source. */
const programs = new Map<string, string>();

/**
 * The file of a program that Node runs, made of a source file; for what is run from source. A loader would do
 * the same anew in each process, and take four times as long as such a process lives.
 *
 * @param source The path of the program's TypeScript file.
 * @throws {Error} if it does not compile, or esbuild is not there.
 */
export function programOfSource(source: string): string {
  const known = programs.get(source);
  if (known !== undefined) return known;
  const require = createRequire(import.meta.url);
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const options = {
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  } as const;
  const [made] = buildSync({ ...options, entryPoints: [source] }).outputFiles;
  if (made === undefined) throw new Error(`esbuild made nothing of ${source}`);
  const { contents } = made;
  const folder = join(dirname(require.resolve('esbuild/package.json')), '..', '..', CACHE);
  const file = join(folder, `${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.mjs`);
  if (!existsSync(file)) write(file, contents);
  programs.set(source, file);
  return file;
}

/** Other processes and threads may write the same file at the same time: it is never there in part. */
function write(file: string, contents: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, contents);
  renameSync(draft, file);
}
