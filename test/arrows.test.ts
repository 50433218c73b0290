import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const SRC = fileURLToPath(new URL('../src', import.meta.url));

const ROOT = dirname(SRC);

const ARCHITECTURE = fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url));

const EVERYTHING = [
  'errors',
  'ports',
  'config',
  'http',
  'metrics',
  'solana',
  'programs',
  'chain',
  'payments',
  'policy',
  'ledger',
  'rollup',
  'rpc',
  'gateway',
  'service',
  'console',
  'settlement',
  'checkout',
  'facilitator',
  'signing',
  'state',
  'wallets',
];

/** The imports that each folder may have. */
const ARROWS: Record<string, readonly string[]> = {
  errors: [],
  ports: [],
  config: ['errors'],
  json: [],
  http: ['errors', 'ports', 'config'],
  metrics: ['errors'],
  supervisor: ['ports'],
  solana: ['errors'],
  programs: ['errors', 'ports', 'solana'],
  chain: ['errors', 'ports', 'json', 'solana', 'programs'],
  payments: ['errors', 'ports', 'json', 'solana', 'programs', 'chain'],
  policy: ['ports'],
  ledger: ['errors', 'ports', 'json', 'solana', 'programs', 'chain'],
  rpc: ['errors', 'ports', 'json', 'http', 'solana', 'programs', 'ledger'],
  rollup: ['errors', 'ports', 'json', 'solana', 'programs', 'chain', 'ledger'],
  gateway: ['errors', 'ports', 'json', 'http', 'chain', 'rpc'],
  service: ['errors', 'ports', 'json', 'http', 'programs', 'payments'],
  settlement: ['errors', 'ports', 'solana', 'programs', 'chain', 'payments'],
  checkout: ['errors', 'ports', 'http', 'solana', 'programs', 'chain', 'payments', 'settlement', 'service'],
  facilitator: [
    'errors',
    'ports',
    'solana',
    'programs',
    'chain',
    'payments',
    'policy',
    'settlement',
    'service',
  ],
  console: ['errors', 'ports', 'http', 'solana', 'programs', 'ledger', 'service'],
  wallets: ['errors', 'ports', 'solana', 'chain', 'payments', 'policy', 'ledger'],
  signing: ['ports', 'solana', 'payments', 'ledger', 'facilitator'],
  state: ['errors', 'ports', 'payments', 'ledger', 'settlement', 'service', 'checkout'],
  client: ['ports', 'policy'],
  kit: ['client', 'errors', 'ports', 'config', 'solana', 'programs', 'chain', 'payments', 'policy'],
  /** Assembles the other folders; each of its files imports some of them. */
  stack: EVERYTHING,
  cli: [
    'errors',
    'ports',
    'config',
    'json',
    'supervisor',
    'solana',
    'programs',
    'chain',
    'payments',
    'ledger',
    'service',
    'wallets',
    'client',
    'kit',
    'stack',
    'app.ts',
  ],
  localnet: [
    'errors',
    'ports',
    'config',
    'console',
    'solana',
    'chain',
    'payments',
    'ledger',
    'rollup',
    'wallets',
    'stack',
    'app.ts',
  ],
  vitest: ['localnet'],
  'app.ts': ['config', 'console', 'http', 'metrics', 'service', 'stack'],
};

/**
 * Packages that few files may import, most of them one, so that the rest of the project does not know them.
 */
const LONE_IMPORTERS: Record<string, RegExp> = {
  lmdb: /^(ledger\/store\/lmdb-file|state\/lmdb-tables)\.ts$/,
  ws: /^(rpc\/pubsub\/|gateway\/pubsub\/upstream-socket\.ts$|cli\/verbs\/watch\/follow\.ts$)/,
  '@opentelemetry/api': /^service\/telemetry\.ts$/,
  'prom-client': /^metrics\/registry\.ts$/,
  pino: /^ports\/pino-logger\.ts$/,
  jose: /^service\/auth\//,
  postgres: /^state\/postgres\/database\.ts$/,
  ioredis: /^state\/redis\/request-limiter\.ts$/,
  undici: /^chain\/upstream\/transport\.ts$/,
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

const imports: Import[] = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => ({
    file,
    specifier: match[1] as string,
  })),
);

/** The entry points of the package, whose exports are for its users. */
const ENTRIES = new Set(
  Object.values(manifest.exports)
    .filter((entry) => typeof entry === 'object')
    .map((entry) => entry.types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')),
);

/** Where what `src` exports may be imported. Its tests count: what they reach for is a part's interface, too. */
const IMPORTERS = ['src', 'test', 'bench', 'demo', 'scripts', 'clients', 'console'];

/** An import of one file from another: a name, or `*` for everything. */
const taken = new Set(
  IMPORTERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
    .flatMap(takenBy),
);

function takenBy(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const clauses = text.matchAll(/^(?:import|export)(?: type)? (\{[^}]*\}|\*[^']*?)\s*from '(\.[^']+)'/gm);
  const expressions = text.matchAll(/\bimport\(\s*'(\.[^']+)',?\s*\)/g);
  return [
    ...Array.from(clauses, ([, clause = '', specifier = '']) => ({ specifier, names: namesIn(clause) })),
    ...Array.from(expressions, ([, specifier = '']) => ({ specifier, names: ['*'] })),
  ].flatMap(({ specifier, names }) => {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const source = target.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts');
    return names.map((name) => `${source}#${name}`);
  });
}

/** The names that `{ a, type B, c as d }` takes or gives, by what they are called at their source. */
function namesIn(clause: string): string[] {
  if (clause.startsWith('*')) return ['*'];
  const items = clause.slice(1, -1).replaceAll(/\/\/.*|\/\*.*?\*\//g, '');
  return Array.from(items.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g), ([, name = '']) => name);
}

/** The names a file exports, types and what it passes on among them. */
function exportsOf(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:declare |abstract |async )*(?:const|let|class|function\*?|interface|type|enum) (\w+)/gm,
  );
  const passedOn = text.matchAll(/^export (?:type )?(\{[^}]*\}) from/gm);
  return [
    ...Array.from(declared, ([, name = '']) => name),
    ...Array.from(passedOn, ([, clause = '']) => namesIn(clause)).flat(),
  ];
}

/** The folders in the table of ARCHITECTURE.md's "Folders", row by row. */
function readLayout(): string[][] {
  const [, section = ''] = readFileSync(ARCHITECTURE, 'utf8').split('## Folders');
  const names = section.split('\n## ')[0]?.matchAll(/^\| (`.*?) \|/gm) ?? [];
  return Array.from(names, ([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const folderOf = (path: string): string => path.split('/')[0] as string;

/** The imports that lead from one folder to another. */
const arrows = imports
  .filter(({ specifier }) => specifier.startsWith('.'))
  .map(({ file, specifier }) => ({ file, target: relative(SRC, resolve(SRC, dirname(file), specifier)) }))
  .filter(({ file, target }) => folderOf(file) !== folderOf(target));

describe('the folders of src', () => {
  it('are all in the table', () => {
    expect(
      [...new Set(imports.map(({ file }) => folderOf(file)))].filter((folder) => !(folder in ARROWS)),
    ).toEqual([]);
  });

  it('import only what the table allows', () => {
    const forbidden = arrows
      .filter(({ file, target }) => !ARROWS[folderOf(file)]?.includes(folderOf(target)))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(forbidden).toEqual([]);
  });

  it('import everything that the table allows (bug: it allowed imports that no folder used)', () => {
    const drawn = new Set(arrows.map(({ file, target }) => `${folderOf(file)} -> ${folderOf(target)}`));
    const allowed = Object.entries(ARROWS).flatMap(([folder, targets]) =>
      targets.map((target) => `${folder} -> ${target}`),
    );
    expect(allowed.filter((arrow) => !drawn.has(arrow))).toEqual([]);
  });

  it('import only from folders next to or above them in ARCHITECTURE.md (bug: rpc imported from rollup, config from http)', () => {
    const rows = readLayout();
    const rowOf = (folder: string): number => rows.findIndex((names) => names.includes(folder));
    const folders = Object.keys(ARROWS).filter((folder) => folder !== 'app.ts');
    expect(folders.filter((folder) => rowOf(folder) < 0)).toEqual([]);
    const downward = folders.flatMap((folder) =>
      (ARROWS[folder] ?? [])
        .filter((target) => target !== 'app.ts' && rowOf(target) > rowOf(folder))
        .map((target) => `${folder} -> ${target}`),
    );
    expect(downward).toEqual([]);
  });

  it('export nothing that no other file imports (bug: more than 200 exports were unused)', () => {
    const inner = sources.filter(({ file }) => !ENTRIES.has(file));
    const unused = inner.flatMap(({ file, text }) =>
      exportsOf(text)
        .filter((name) => !taken.has(`src/${file}#${name}`) && !taken.has(`src/${file}#*`))
        .map((name) => `${file}#${name}`),
    );
    expect(unused).toEqual([]);
  });

  it('keep each of these packages to one file', () => {
    for (const [name, importer] of Object.entries(LONE_IMPORTERS)) {
      const importers = imports
        .filter(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`))
        .map(({ file }) => file);
      expect(importers.length, name).toBeGreaterThan(0);
      expect(
        importers.filter((file) => !importer.test(file)),
        name,
      ).toEqual([]);
    }
  });

  it('import the virtual machine only in its adapter and in the check that it is installed', () => {
    const importers = imports.filter(({ specifier }) => specifier.endsWith('/native-litesvm.ts'));
    expect(importers.map(({ file }) => file).toSorted()).toEqual([
      'ledger/engine/litesvm-engine.ts',
      'ledger/engine/native-package.ts',
    ]);
  });

  it('never sign in the folders that build transactions', () => {
    const builders = new Set(['solana', 'programs', 'chain', 'payments', 'service']);
    const signing = sources
      .filter(({ file, text }) => builders.has(folderOf(file)) && /\bsign\(|createSign|[Kk]eypair/.test(text))
      .map(({ file }) => file);
    expect(signing).toEqual([]);
  });
});
