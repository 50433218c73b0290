/**
 * Writes `dist/console`: the page that the tool service shows to browsers. Names of files carry the hash of what is
 * in them, so that they may be cached for good; each lies there compressed as well, and the service compresses
 * nothing. The same sources give the same bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { parseSync } from 'rolldown/utils';
import { orderFunctions } from './kept-order.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(ROOT, 'dist', 'console');
const SHELL = join(ROOT, 'console/app/shell.html');

/** Where what builds found about the scripts is kept. */
const ORDERS = join(ROOT, 'node_modules/.cache/spl-private-payments/orders');

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
 * Has the first file hand over what the other takes as one list: a name for each takes more than its place.
 *
 * @param codes of the first file, which ends with its exports, and of the other, which begins with its imports.
 * @throws {Error} if it would hand over something that changes, of which a list has what it was.
 */
function handOver([first, other]) {
  const [exports, exported] = /\bexport\{([^}]+)\};?$/.exec(first);
  const [imports, imported, from] = /^import\{([^}]+)\}from("[^"]+");/.exec(other);
  const pairs = (list) => list.split(',').map((each) => each.split(' as '));
  const locals = new Map(pairs(exported).map(([local, name = local]) => [name, local]));
  const taken = pairs(imported).map(([name]) => locals.get(name));
  const constant = constantsOf(first);
  const changing = taken.filter((local) => !constant.has(local));
  if (changing.length > 0) throw new Error(`handed over, and not constant: ${changing.join(', ')}`);
  return [
    `${first.slice(0, -exports.length)}export default[${taken.join(',')}];`,
    `import list from${from};const[${pairs(imported).map(([name, own = name]) => own)}]=list;${other.slice(imports.length)}`,
  ];
}

/** @returns the names of functions, classes and constants at the top of a module. */
function constantsOf(code) {
  const names = parseSync('module.js', code).program.body.flatMap((node) => {
    if (node.type === 'FunctionDeclaration') return [node.id.name];
    if (node.type !== 'VariableDeclaration') return [];
    const { kind, declarations } = node;
    const isConstant = ({ init }) => kind === 'const' || init?.type === 'ClassExpression';
    return declarations.filter(isConstant).map(({ id }) => id.name);
  });
  return new Set(names);
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
  const codes = handOver(output.map(({ code }) => code)).map((code) => orderFunctions(code, ORDERS));
  const hash = hashOf(codes.join('')).slice(0, 8);
  const named = (text) => text.replaceAll(/\b(app|later-views)\.js\b/g, `$1.${hash}.js`);
  return output.map(({ fileName }, at) => [`assets/${named(fileName)}`, Buffer.from(named(codes[at]))]);
}

/** @returns the name and bytes of the styles. */
async function bundleStyles() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { console: 'console/styles/console.css' },
    outdir: TARGET,
    bundle: true,
    minify: true,
    target: BROWSERS,
    logLevel: 'warning',
    write: false,
  });
  return outputFiles.map(({ text }) => {
    const styles = withShortNames(text);
    return [`assets/console.${hashOf(styles).slice(0, 8)}.css`, Buffer.from(styles)];
  });
}

const CUSTOM_PROPERTY = /--[a-z][a-z0-9-]*/g;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Gives custom properties, which the styles alone use, names of one letter: the first to the one used most. */
function withShortNames(css) {
  const uses = new Map();
  for (const [name] of css.matchAll(CUSTOM_PROPERTY)) uses.set(name, (uses.get(name) ?? 0) + 1);
  if (uses.size > LETTERS.length) throw new Error('more custom properties than letters');
  const byUse = [...uses].sort(([, one], [, other]) => other - one);
  const names = new Map(byUse.map(([name], at) => [name, `--${LETTERS[at]}`]));
  return css.replaceAll(CUSTOM_PROPERTY, (name) => names.get(name));
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
