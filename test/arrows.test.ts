import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

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
  'ledger',
  'rollup',
  'rpc',
  'gateway',
  'service',
  'signing',
  'workers',
];

/** What each room may import besides itself. `app.ts` is the only file that knows everybody. */
const ARROWS: Record<string, readonly string[]> = {
  errors: [],
  ports: [],
  config: ['errors', 'http'],
  http: ['errors', 'ports'],
  metrics: ['errors', 'ports'],
  supervisor: ['errors', 'ports'],
  solana: ['errors'],
  programs: ['errors', 'ports', 'solana'],
  chain: ['errors', 'ports', 'solana', 'programs'],
  payments: ['errors', 'ports', 'solana', 'programs', 'chain'],
  ledger: ['errors', 'ports', 'solana', 'programs', 'chain'],
  rollup: ['errors', 'ports', 'http', 'solana', 'programs', 'chain', 'ledger'],
  rpc: ['errors', 'ports', 'http', 'solana', 'programs', 'chain', 'ledger', 'rollup'],
  gateway: ['errors', 'ports', 'http', 'chain', 'rpc'],
  service: ['errors', 'ports', 'http', 'payments'],
  workers: ['errors', 'ports', 'metrics', 'supervisor', 'solana', 'chain', 'service'],
  signing: ['ports', 'solana', 'chain', 'payments', 'ledger'],
  /** Puts rooms together; each file knows some of them, and only `app.ts` all. */
  stack: ['supervisor', ...EVERYTHING],
  cli: ['errors', 'ports', 'config', 'supervisor', 'workers', 'stack', 'app.ts'],
  'app.ts': ['stack', ...EVERYTHING],
};

/** Packages that few files may import, most of them one, so that the rest of the project does not know them. */
const LONE_IMPORTERS: Record<string, RegExp> = {
  litesvm: /^(ledger\/engine\/litesvm-engine|stack\/native-engine)\.ts$/,
  lmdb: /^ledger\/store\/(lmdb-tables|sealed-table)\.ts$/,
  ws: /^rpc\/pubsub\//,
  pino: /^ports\/pino-logger\.ts$/,
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

const roomOf = (path: string): string => path.split('/')[0] as string;

describe('the rooms of src', () => {
  it('are all in the table', () => {
    expect([...new Set(imports.map(({ file }) => roomOf(file)))].filter((room) => !(room in ARROWS))).toEqual(
      [],
    );
  });

  it('import only what the table allows', () => {
    const forbidden = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ file, specifier }) => ({ file, target: relative(SRC, resolve(SRC, dirname(file), specifier)) }))
      .filter(
        ({ file, target }) =>
          roomOf(file) !== roomOf(target) && !ARROWS[roomOf(file)]?.includes(roomOf(target)),
      )
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(forbidden).toEqual([]);
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

  it('sign nothing where transactions are built', () => {
    const builders = new Set(['solana', 'programs', 'chain', 'payments', 'service']);
    const signing = sources
      .filter(({ file, text }) => builders.has(roomOf(file)) && /\bsign\(|createSign|[Kk]eypair/.test(text))
      .map(({ file }) => file);
    expect(signing).toEqual([]);
  });
});
