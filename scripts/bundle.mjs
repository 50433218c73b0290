/**
 * Writes `dist/bundle`, the program as it is started and published, and `dist/console`, the page that the tool
 * service shows to browsers. Node loads a thousand modules one by one in more than half of the time that a start
 * takes; bundled, they are a few files. Dependencies of the program stay where npm puts them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Two folders deep, as sources are: `../../package.json` is that of the package for both. */
const PROGRAM = join(ROOT, 'dist/bundle');
const PAGE = join(ROOT, 'dist/console');

/**
 * Programs that are started by the path of their file, by name: each beside the one that starts it. The others are
 * what `exports` of package.json names.
 */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  child: 'src/cli/child.ts',
  client: 'src/client/index.ts',
  kit: 'src/kit/index.ts',
  localnet: 'src/localnet/index.ts',
  vitest: 'src/vitest/index.ts',
};

function bundleProgram() {
  rmSync(PROGRAM, { recursive: true, force: true });
  return build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: PROGRAM,
    bundle: true,
    // The supervisor loads nothing of the stack: what is imported where it is needed stays in files of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18.1',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** Script and styles have the hash of their bytes in their names, so that they may be cached for good. */
async function bundlePage() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { app: 'console/app/main.tsx', console: 'console/styles/console.css' },
    outdir: join(PAGE, 'assets'),
    entryNames: '[name].[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    // The oldest browsers that know `light-dark()`, which the styles are written with.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    logLevel: 'warning',
    write: false,
  });
  const urlOf = (ending) => {
    const { path } = outputFiles.find((file) => file.path.endsWith(ending));
    return `/console/${relative(PAGE, path).replaceAll('\\', '/')}`;
  };
  const shell = readFileSync(join(ROOT, 'console/app/shell.html'), 'utf8')
    .replace('{{js}}', urlOf('.js'))
    .replace('{{css}}', urlOf('.css'));
  rmSync(join(PAGE, 'assets'), { recursive: true, force: true });
  for (const { path, contents } of outputFiles) write(path, contents);
  write(join(PAGE, 'index.html'), Buffer.from(shell));
}

/** Writes a file beside its two compressed forms: the service compresses nothing. */
function write(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  // The last two levels take ten times as long for one byte in twenty.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

await Promise.all([bundleProgram(), bundlePage()]);
