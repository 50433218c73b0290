/**
 * Writes `dist/console`: the page that the tool service shows to browsers. Names of files carry the hash of what is
 * in them, so that they may be cached for good; each lies there compressed as well, and the service compresses
 * nothing. The same sources give the same bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { orderFunctions } from './order-functions.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(ROOT, 'dist', 'console');
const SHELL = join(ROOT, 'console/app/shell.html');

/** The oldest browsers that know `light-dark()`, which the styles are written with. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * The page comes from the service that it asks, and knows each of its codes: it needs no table of them, as clients
 * do that may be older.
 */
const CODES_OF_THE_SAME_BUILD = {
  name: 'codes-of-the-same-build',
  load: {
    filter: { id: /src[\\/]client[\\/]known-code\.ts$/ },
    handler: () => 'export const knownCode = (code) => code;',
  },
};

/** Rounds in which Zopfli looks for a smaller form: more of them save some bytes in a thousand. */
const ZOPFLI_ROUNDS = 15;

/**
 * Has the first file export what the other imports under the name that it has there: each would name it anew.
 *
 * @param codes of the first file, which ends with its exports, and of the other, which begins with its imports.
 */
function nameAlike([first, other]) {
  const [, imported] = /^import\{([^}]+)\}/.exec(other);
  const names = new Map(imported.split(',').map((each) => each.split(' as ')));
  const exported = /\bexport\{([^}]+)\};?$/.exec(first);
  const renamed = exported[1].split(',').map((each) => {
    const [local, name = local] = each.split(' as ');
    return names.has(name) ? `${local} as ${names.get(name) ?? name}` : each;
  });
  return [
    `${first.slice(0, exported.index)}export{${renamed.join(',')}};`,
    other.replace(imported, [...names].map(([name, own = name]) => own).join(',')),
  ];
}

/**
 * Bundles the scripts: the first view with all that views share, and the other views, which compress best together.
 *
 * @returns their bytes by their names, that of the first first. As each names the other, the names carry one hash of
 *   what is in both.
 */
async function bundleScripts() {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { app: 'console/app/main.tsx' },
    platform: 'browser',
    plugins: [CODES_OF_THE_SAME_BUILD],
    // What both need lies in the first file, which is there whenever the other is.
    preserveEntrySignatures: 'allow-extension',
    tsconfig: 'console/tsconfig.json',
    transform: {
      target: BROWSERS,
      define: { 'process.env.NODE_ENV': '"production"' },
      // Calls of `h` are shorter than those that the types are checked with (`jsx` in tsconfig.json).
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await bundle.close();
  const codes = nameAlike(output.map(({ code }) => code)).map(orderFunctions);
  const hash = hashOf(codes.join('')).slice(0, 8);
  const named = (text) => text.replaceAll(/\b(app|later-views)\.js\b/g, `$1.${hash}.js`);
  return output.map(({ fileName }, at) => [`assets/${named(fileName)}`, Buffer.from(named(codes[at]))]);
}

/** @returns the name and bytes of the styles. */
async function bundleStyles() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { console: 'console/styles/console.css' },
    entryNames: 'assets/[name].[hash]',
    outdir: TARGET,
    bundle: true,
    minify: true,
    target: BROWSERS,
    logLevel: 'warning',
    write: false,
  });
  return outputFiles.map(({ path, contents }) => [relative(TARGET, path).replaceAll(sep, '/'), contents]);
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const byName = ([one], [other]) => (one < other ? -1 : 1);

const gzip = promisify(zopfli.gzip);

/** Writes one file and its two compressed forms. @returns what the manifest says of it. */
async function write(name, bytes) {
  const path = join(TARGET, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, brotli));
  writeFileSync(`${path}.gz`, await gzip(bytes, { numiterations: ZOPFLI_ROUNDS }));
  const type = TYPES[name.split('.').at(-1)];
  return { type, etag: `"${hashOf(bytes)}"`, br: `${name}.br`, gzip: `${name}.gz` };
}

// Compiled modules of `src/console` lie in the same folder: only the page's own files are replaced.
for (const name of ['assets', 'index.html', 'index.html.br', 'index.html.gz', 'manifest.json']) {
  rmSync(join(TARGET, name), { recursive: true, force: true });
}
const scripts = await bundleScripts();
const styles = await bundleStyles();
const [[js]] = scripts;
const [[css]] = styles;
// No white space between its elements is shown.
const shell = readFileSync(SHELL, 'utf8')
  .replaceAll(/\s+/g, ' ')
  .replaceAll('> <', '><')
  .replaceAll('{{js}}', `/console/${js}`)
  .replaceAll('{{css}}', `/console/${css}`);
const files = [['index.html', Buffer.from(shell)], ...[...scripts, ...styles].sort(byName)];
const entries = [];
for (const [name, bytes] of files) entries.push([name, await write(name, bytes)]);
const manifest = { shell: 'index.html', files: Object.fromEntries(entries) };
writeFileSync(join(TARGET, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
