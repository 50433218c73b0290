import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { VERBS } from './verb-table.ts';

/** What a verb must not wait for: the engine, the store, the log, and what puts the stack together. */
const HEAVY = /src\/(?:stack|rollup|rpc|service|gateway|workers)\/|src\/ledger\/(?!keypair\.ts)|src\/app\.ts/;

/** They look for what a machine lacks to run the stack, or read what it keeps, and so load a part of it. */
const LOOKS_AT_THE_STACK = new Set(['doctor', 'ledger']);

/** The files that one module imports at once, and those they import. */
async function loadedBy(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    outdir: 'none',
    metafile: true,
  });
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint?.endsWith(file.slice(2)));
  const chunks = (entry?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const parts = [entry, ...chunks.map(({ path }) => metafile.outputs[path])];
  return parts.flatMap((part) => Object.keys(part?.inputs ?? {}));
}

it.each(Object.keys(VERBS).filter((name) => !LOOKS_AT_THE_STACK.has(name)))(
  '%s loads nothing of the engine',
  async (name) => {
    const files = await loadedBy(`./${name}.ts`);
    expect(files).toContain(`src/cli/verbs/${name}.ts`);
    expect(files.filter((file) => HEAVY.test(file))).toEqual([]);
  },
);
