import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The compiled programs of this process, by source. */
const programs = new Map<string, string>();

/**
 * Compiles a TypeScript program into a file that Node can run, for processes started from source. A loader
 * would compile it in each process, which takes four times as long as the process itself.
 *
 * @param source the path of the program.
 * @returns a file under `node_modules`, because package imports resolve there.
 * @throws {Error} if it does not compile, or esbuild is not installed.
 */
export function programOfSource(source: string): string {
  const known = programs.get(source);
  if (known !== undefined) return known;
  const require = createRequire(import.meta.url);
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    entryPoints: [source],
  });
  const contents = (outputFiles[0] as { readonly contents: Uint8Array }).contents;
  const folder = join(
    dirname(require.resolve('esbuild/package.json')),
    '..',
    '.cache',
    'spl-private-payments',
  );
  const file = join(folder, `${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.mjs`);
  if (!existsSync(file)) {
    // Written under another name and then renamed, because other processes may use the same file.
    const draft = `${file}.${randomUUID()}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, contents);
    renameSync(draft, file);
  }
  programs.set(source, file);
  return file;
}
