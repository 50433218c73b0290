/**
 * Writes `dist/bundle`: what is started and what is published. Node loads some nine hundred modules one by one in
 * more than half of the time that a start takes; bundled, they are a few files. Dependencies stay where npm
 * puts them. `dist` itself keeps the modules as they are compiled, with their types: tests take parts from there.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Two folders deep, as sources are: `../../package.json` is that of the package for both. */
const TARGET = join(ROOT, 'dist', 'bundle');

/**
 * Programs that are started by the path of their file, by name: each beside the one that starts it. The others are
 * what `exports` of package.json names.
 */
const ENTRIES = {
  main: 'src/cli/main.ts',
  child: 'src/cli/child.ts',
  worker: 'src/cli/worker.ts',
  'scratch-child': 'src/ledger/provision/scratch-child.ts',
  client: 'src/client/index.ts',
  kit: 'src/kit/index.ts',
  localnet: 'src/localnet/index.ts',
  vitest: 'src/vitest/index.ts',
};

rmSync(TARGET, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES,
  outdir: TARGET,
  bundle: true,
  // The supervisor loads nothing of the stack: what is imported where it is needed stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18.1',
  packages: 'external',
  // Beside the files, without a mention in them: the package has no maps.
  sourcemap: 'external',
  logLevel: 'warning',
});
