import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { assertProjectBuilt } from './built.ts';
import { IS_LONG } from './length.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** In the project, where Vitest is found, next to the build output, which is not under version control. */
const BUILT = join(ROOT, 'dist');

const { exports: EXPORTS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, { readonly default: string }>;
};

/** The test files that the document shows, by the name in their first line. */
const shown = new Map(
  Array.from(
    readFileSync(join(ROOT, 'docs/testing.md'), 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms),
    ([, name = '', code = '']) => [name, code],
  ),
);

/** The one that needs programs which are not everywhere. */
const ON_LAYOUT_B = 'payment-b.test.ts';

/** Those for Vitest run in one go, as its start takes longer than they do. */
const FOR_VITEST = ['payment.test.ts', ON_LAYOUT_B].filter(
  (name) => name !== ON_LAYOUT_B || LAYOUT_B_FOLDER !== null,
);
const FOR_NODE = 'payment.node.ts';

describe('docs/testing.md', () => {
  let folder: string;
  beforeAll(() => {
    assertProjectBuilt();
    folder = mkdtempSync(join(BUILT, 'testing-document-'));
    // Not the settings of the project.
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};\n');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string): string => {
    const file = join(folder, name);
    writeFileSync(file, asPublished(shown.get(name) ?? ''));
    return file;
  };

  it('contains exactly these files', () => {
    expect([...shown.keys()].toSorted()).toEqual(['payment.test.ts', ON_LAYOUT_B, FOR_NODE].toSorted());
  });

  it.runIf(IS_LONG)(
    'contains a file whose types tsc accepts without @types/node (bug: AsyncDisposable was missing)',
    async () => {
      const file = join(folder, 'types.test.ts');
      writeFileSync(file, shown.get('payment.test.ts') ?? '');
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      const options = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
      ];
      const { code, output } = await runNode([tsc, ...options, file]);
      expect(code, output).toBe(0);
    },
  );

  describe.runIf(IS_LONG)('with Vitest', () => {
    let ended: Ended;
    beforeAll(async () => {
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      const options = [
        '--root',
        folder,
        '--testTimeout=300000',
        '--hookTimeout=300000',
        '--maxWorkers=1',
        '--no-isolate',
      ];
      ended = await runNode([vitest, 'run', ...options, '--reporter=json', ...FOR_VITEST.map(write)]);
    });

    it.for(['payment.test.ts', ON_LAYOUT_B])('contains a %s that passes', (name, { skip }) => {
      skip(!FOR_VITEST.includes(name), NO_LAYOUT_B);
      expect(ended.code, ended.output).toBe(0);
      const { testResults } = JSON.parse(ended.stdout) as VitestReport;
      const found = testResults.find((result) => basename(result.name) === name);
      expect(found?.assertionResults.map(({ status }) => status)).toEqual(['passed']);
    });
  });

  it(`contains a ${FOR_NODE} that passes with node:test`, async () => {
    const { code, stdout, output } = await runNode(['--import', 'tsx', '--test', write(FOR_NODE)]);
    expect(code, output).toBe(0);
    expect(stdout).toMatch(/pass 1\b/);
  });
});

/** The parts of Vitest's JSON report that are checked. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  /** All that it has printed. */
  readonly output: string;
}

/** Runs Node to its end. */
async function runNode(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, output: stdout + stderr };
}

/** The code of a test with what the package exports under its names, as it is built. */
function asPublished(code: string): string {
  return code
    .replaceAll(
      /'spl-private-payments\/(\w+)'/g,
      (_, entry: string) => `'${pathToFileURL(join(ROOT, EXPORTS[`./${entry}`]?.default ?? '')).href}'`,
    )
    .replace('./programs', LAYOUT_B_FOLDER ?? '');
}
