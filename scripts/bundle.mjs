/**
 * Writes `dist/bundle`, the published program, and the web pages of the service: `dist/console`, and
 * `dist/pay`, on which orders are paid. Bundling halves the start time, because Node loads a few files
 * instead of a thousand modules. Dependencies of the program are not bundled.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The bundle is at the same depth as the sources, so `../../package.json` works in both. */
const PROGRAM = join(ROOT, 'dist/bundle');
/** The pages by name. The files of a page are in `dist`, and served, below its name. */
const PAGES = {
  console: {
    shell: 'console/app/shell.html',
    entryPoints: { app: 'console/app/main.tsx', console: 'console/styles/console.css' },
  },
  pay: {
    shell: 'console/pay/shell.html',
    entryPoints: { pay: 'console/pay/main.tsx', styles: 'console/styles/pay.css' },
  },
};

/**
 * Entry points by name. Programs that are started by path are in the folder of their starter. The others are
 * the `exports` of package.json.
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
    // Dynamic imports stay in separate files, because the supervisor must not load the stack.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18.1',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** Writes a page. File names contain a hash of their content, so browsers can cache them forever. */
async function bundlePage(name, { shell, entryPoints }) {
  const folder = join(ROOT, 'dist', name);
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: join(folder, 'assets'),
    entryNames: '[name].[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    // The oldest browsers with `light-dark()`, which the styles use.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    logLevel: 'warning',
    write: false,
  });
  const urlOf = (ending) => {
    const { path } = outputFiles.find((file) => file.path.endsWith(ending));
    return `/${name}/${relative(folder, path).replaceAll('\\', '/')}`;
  };
  const html = readFileSync(join(ROOT, shell), 'utf8')
    .replace('{{js}}', urlOf('.js'))
    .replace('{{css}}', urlOf('.css'));
  rmSync(join(folder, 'assets'), { recursive: true, force: true });
  for (const { path, contents } of outputFiles) write(path, contents);
  write(join(folder, 'index.html'), Buffer.from(html));
}

/** Writes a file and its two compressed forms, because the service does not compress. */
function write(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  // The last two levels take ten times as long and save only 5 %.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

await Promise.all([bundleProgram(), ...Object.entries(PAGES).map(([name, page]) => bundlePage(name, page))]);
