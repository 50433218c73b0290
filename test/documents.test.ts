import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLUSTER_NAMES } from '../src/config/cluster-variables.ts';
import { VARIABLES } from '../src/config/config.ts';
import { FINDING_CODES } from '../src/payments/explain/finding.ts';
import { readPolicy } from '../src/policy/policy.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { LEDGER_METHODS } from '../src/rpc/methods/method-table.ts';
import { ROLLUP_METHODS } from '../src/rpc/methods/rollup/rollup-methods.ts';
import { SURFNET_METHODS } from '../src/rpc/methods/surfnet/surfnet-methods.ts';
import { PUBSUB_METHODS } from '../src/rpc/pubsub/pubsub.ts';

const DOCS = new URL('../docs', import.meta.url);

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('docs/ledger-node.md', () => {
  const text = read('docs/ledger-node.md');

  it.each(LEDGER_METHODS.map(({ name }) => name))('names %s', (name) => {
    expect(text).toContain(`\`${name}\``);
  });

  it('names every subscription', () => {
    const subscriptions = PUBSUB_METHODS.map(({ name }) => name).filter((name) => name.endsWith('Subscribe'));
    expect(subscriptions.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('names only methods that exist', () => {
    const methods = [...LEDGER_METHODS, ...ROLLUP_METHODS, ...SURFNET_METHODS, ...PUBSUB_METHODS];
    const names = new Set(methods.map(({ name }) => name));
    const shown =
      `${text}${read('docs/localnet.md')}`.match(
        /`(?:get|is|send|simulate|request|minimum|surfnet_)\w+`|`\w+Subscribe`/g,
      ) ?? [];
    expect(shown.map((name) => name.slice(1, -1)).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('docs/localnet.md', () => {
  it.each(SURFNET_METHODS.map(({ name }) => name))('names %s', (name) => {
    expect(read('docs/localnet.md')).toContain(`\`${name}\``);
  });
});

describe('docs/explain.md', () => {
  const text = read('docs/explain.md');

  it('lists every finding with its meaning, and no others', () => {
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);
    expect(rows).toEqual(Object.entries(FINDING_CODES));
  });
});

describe('docs/policy.md', () => {
  const text = read('docs/policy.md');

  it('shows a valid policy, and describes every member', () => {
    const [, shown = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
    expect(Object.keys(readPolicy(JSON.parse(shown)).mints)).toEqual([USDC_MINT, 'SOL']);
    const described = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(described).toEqual([
      'mints',
      'recipients',
      'programs',
      'validators',
      'accept',
      'approver',
      'dryRun',
    ]);
  });
});

describe('docs/operating.md', () => {
  it('names only settings that exist', () => {
    const known = new Set(Object.values(VARIABLES).map(({ name }) => name as string));
    const section = read('docs/operating.md').split('## Settings')[1]?.split('\n## ')[0] ?? '';
    const shown = section.match(/`[A-Z][A-Z_]+`/g)?.map((name) => name.slice(1, -1)) ?? [];
    expect(shown.length).toBeGreaterThan(15);
    expect(shown.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has a row for each cluster that needs URLs (bug: none for custom)', () => {
    const section = read('docs/operating.md').split('## Clusters')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name);
    expect(rows.toSorted()).toEqual(CLUSTER_NAMES.filter((name) => name !== 'localnet').toSorted());
  });
});

describe.each(['docs/deploying.md', 'docs/durability.md'])('%s', (page) => {
  it('names the format of a folder', () => {
    const source = read('src/ledger/store/ledger-folder.ts');
    const [, format] = /const FORMAT = (\d+);/.exec(source) ?? [];
    expect(read(page).replaceAll(/\s+/g, ' ')).toContain(`Data folders have format ${format}`);
  });
});

/** The README, and the pages for the people it names. */
const PAGES = ['README.md', ...readdirSync(DOCS).map((name) => `docs/${name}`)];

describe.each(PAGES)('%s', (page) => {
  const text = read(page);

  it('links to pages and headings that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !leadsSomewhere(page, target))).toEqual([]);
  });
});

/** Paths from the root, and folders of `src` that a page names in backticks. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|docs|wasm|bench|scripts|clients|demo)\/[^`\s]*)`/g)].map(
    ([, path = '']) => path,
  );

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (page) => {
  it('names only paths that exist', () => {
    const paths = pathsIn(read(page));
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const sectionOf = (heading: string): string =>
    read('ARCHITECTURE.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

  it('names files on each of the six paths', () => {
    const paths = sectionOf('Six paths through the code').split(/^\*\*/m).slice(1);
    expect(paths.map((path) => pathsIn(path).length >= 5)).toEqual(Array(6).fill(true));
  });

  it('has a glossary of at most 40 lines, in alphabetical order', () => {
    const glossary = sectionOf('Glossary');
    expect(glossary.trim().split('\n').length).toBeLessThanOrEqual(40);
    const words = [...glossary.matchAll(/^\| ([\w-][^|]*) \| [^|-]/gm)].map(([, word = '']) => word).slice(1);
    expect(words.length).toBeGreaterThan(20);
    expect(words).toEqual(words.toSorted((a, b) => a.localeCompare(b, 'en')));
  });
});

it('no two pages create a wallet in the same file, so both can be followed in one folder', () => {
  const made = PAGES.flatMap((page) => walletsMadeIn(read(page)));
  expect(made).toEqual([
    'alice.json',
    'bob.json',
    'shop.json',
    'buyer.json',
    'wallet.json',
    'payee.json',
    'facilitator.json',
  ]);
});

it('wallets that a page creates in a clone are ignored by git (bug: payee.json was not)', () => {
  const ignored = read('.gitignore').split('\n');
  const made = PAGES.flatMap((page) => walletsMadeIn(read(page)));
  expect(made.filter((file) => !ignored.includes(file))).toEqual([]);
});

it('README.md has at most 120 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});

/** The files in which the commands of a page make wallets; those of a loop for each name that it goes through. */
const walletsMadeIn = (text: string): string[] =>
  text.split('\n').flatMap((line) =>
    [...line.matchAll(/wallet new -k (\S+\.json)/g)].flatMap(([, file = '']) => {
      const names = /for NAME in ([^;]+);/.exec(line)?.[1]?.split(' ');
      return file.includes('$NAME') ? (names ?? []).map((name) => file.replace('$NAME', name)) : [file];
    }),
  );

/** Whether a relative link of a page names an existing file and, if it has a fragment, a heading of it. */
function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), path);
  if (!existsSync(new URL(`../${file}`, import.meta.url))) return false;
  return heading === undefined || anchorsOf(read(file)).includes(heading);
}

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
