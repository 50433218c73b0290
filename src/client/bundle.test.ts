import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** The size of the client on a page, bytes after gzip. */
const GZIP_BYTES_MAX = 8 * 1024;

const bundle = async (source: string) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    // Nothing of a platform is resolved: an import of node: would end the build.
    platform: 'neutral',
    write: false,
    metafile: true,
  });
  return { code: outputFiles[0]?.contents ?? new Uint8Array(), inputs: Object.keys(metafile.inputs) };
};

it('is at most 8 KB after gzip, and imports nothing but its own files and spending policies', async () => {
  const { code, inputs } = await bundle(`export * from './index.ts'`);
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX);
  expect(
    inputs.filter((input) => !/^(src\/(client|policy)\/|src\/ports\/tables.ts$|<stdin>)/.test(input)),
  ).toEqual([]);
  expect(new TextDecoder().decode(code)).not.toMatch(/\bimport\b|\brequire\(|\bprocess\b|\bBuffer\b/);
});

it('adds nothing to a bundle that does not use it', async () => {
  expect((await bundle(`import { PaymentsError } from './index.ts'`)).code.length).toBe(0);
});
