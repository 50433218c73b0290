import { build, type Metafile } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { VERBS } from './verb-table.ts';

/** Modules that a verb must not load: the engine, the store, the log, and the stack. */
const HEAVY =
  /src\/(?:stack|rollup|rpc|service(?!\/input\/nearest-name)|gateway)\/|src\/ledger\/(?!keypair\.ts)|src\/app\.ts/;

/** They look for what a machine lacks to run the stack, or read what it keeps, and so load a part of it. */
const LOOKS_AT_THE_STACK = new Set(['doctor', 'ledger', 'keys']);

/** The file that each verb is loaded from. */
const TABLE = readFileSync(new URL('./verb-table.ts', import.meta.url), 'utf8');
const FILES = new Map(
  [...TABLE.matchAll(/^  '?([\w-]+)'?: \{[^}]*?import\('\.\/([\w-]+\.ts)'\)/gm)].map(([, name, file]) => [
    name,
    file,
  ]),
);
const NAMES = Object.keys(VERBS);

/** All of them, built at once: a chunk that one imports has nothing but what that one needs. */
let built: Metafile;
beforeAll(async () => {
  const { metafile } = await build({
    entryPoints: [...new Set(FILES.values())].map((file) =>
      fileURLToPath(new URL(file ?? '', import.meta.url)),
    ),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    outdir: 'none',
    metafile: true,
  });
  built = metafile;
});

/** The files that a verb imports at once, and those they import. */
function loadedBy(name: string): readonly string[] {
  const outputs = Object.entries(built.outputs);
  const waiting = outputs
    .filter(([, { entryPoint }]) => entryPoint === `src/cli/verbs/${FILES.get(name)}`)
    .map(([path]) => path);
  const loaded = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const imports = built.outputs[path]?.imports ?? [];
    waiting.push(...imports.filter((each) => each.kind === 'import-statement').map((each) => each.path));
  }
  return [...loaded].flatMap((path) => Object.keys(built.outputs[path]?.inputs ?? {}));
}

it.each(NAMES.filter((name) => !LOOKS_AT_THE_STACK.has(name)))('%s does not load the engine', (name) => {
  const files = loadedBy(name);
  expect(files).toContain(`src/cli/verbs/${FILES.get(name)}`);
  expect(files.filter((file) => HEAVY.test(file))).toEqual([]);
});

it.each([...LOOKS_AT_THE_STACK])('%s loads a part of the engine', (name) => {
  expect(loadedBy(name).filter((file) => HEAVY.test(file))).not.toEqual([]);
});
