import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInBash } from './examples/bash-session.ts';
import { readShellBlocks } from './examples/shell-blocks.ts';
import { compareOutputs } from './examples/shown-output.ts';
import { folderOfFile } from './folders.ts';
import { callLedger, portsOf, startStack, type StackProcess } from './stack-process.ts';
import { IS_LONG } from './length.ts';

/**
 * Whatever the README, the docs, the program's banner and the API's description tell people to try is tried
 * on the built program.
 */

const ROOT = new URL('..', import.meta.url);

/** The README, and the pages for the people it names. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs', ROOT)).map((name) => `docs/${name}`),
]
  .filter((path) => existsSync(new URL(path, ROOT)))
  .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') }));

const PACKAGE = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

/**
 * What the examples of the description come to on a new ledger, by operation: a status, or the code of a
 * refusal.
 */
const OUTCOMES: Readonly<Record<string, number | string>> = {
  deposit: 200,
  transfer: 'UNSUPPORTED_ON_CLUSTER',
  withdraw: 'EATA_BALANCE_TOO_LOW',
  undelegate: 'EATA_NOT_DELEGATED',
  recoverShuttles: 'UNSUPPORTED_ON_CLUSTER',
  createLookupTable: 'UNSUPPORTED_ON_CLUSTER',
  getBalance: 200,
  getPrivateBalance: 200,
  swapQuote: 200,
  swap: 200,
  initializeMint: 'UNSUPPORTED_ON_CLUSTER',
  isMintInitialized: 'UNSUPPORTED_ON_CLUSTER',
  ensureTransferQueueCrank: 'UNSUPPORTED_ON_CLUSTER',
  createStealthPool: 'UNSUPPORTED_ON_CLUSTER',
  getStealthPool: 'UNSUPPORTED_ON_CLUSTER',
  explainTransaction: 200,
  sendTransaction: 'UPSTREAM_UNAVAILABLE',
  challenge: 200,
  login: 'AUTH_REFUSED',
  callMcp: 200,
  describeMcp: 200,
  discoverMcp: 200,
  checkHealth: 200,
};

const NEEDS_BASH = 'bash and curl, which a Windows machine need not have';

/**
 * A line that installs, starts or tests the project, and does not talk to a running program; and one that
 * launches an MCP host, which test/lifecycle-hosted.test.ts does in its place.
 */
const PROJECT_COMMAND =
  /^(?:[A-Z_]+=\S+ +)*(?:npm|npx spl-private-payments|npx vitest|node scripts|claude)\b/;

const isAboutProject = (commands: string): boolean =>
  commands
    .trim()
    .split('\n')
    .every((line) => PROJECT_COMMAND.test(line));

let stack: StackProcess;

beforeAll(async () => {
  stack = await startStack(await folderOfFile());
});

afterAll(() => stack.stop());

/** The text with the ports that are the defaults replaced by those of the running program. */
function withFreePorts(text: string, { serviceUrl, ledgerUrl }: StackProcess): string {
  return text.replaceAll(/(localhost|127\.0\.0\.1):(8787|8899)\b/g, (_, host: string, port: string) => {
    const url = port === '8787' ? serviceUrl : ledgerUrl;
    return `${host}:${new URL(url).port}`;
  });
}

/** Pages whose commands the short form runs. */
const FIRST_PAGES = ['README.md', 'docs/tour.md'];

const runnable = PAGES.filter(({ path }) => IS_LONG || FIRST_PAGES.includes(path))
  .map(({ path, text }) => ({
    path,
    blocks: readShellBlocks(text).filter(({ commands }) => !isAboutProject(commands)),
  }))
  .filter(({ blocks }) => blocks.length > 0);

describe.skipIf(process.platform === 'win32').each(runnable)(
  `the commands of $path (need ${NEEDS_BASH})`,
  ({ blocks }) => {
    const comparable = blocks.flatMap(({ line, shown }, i) =>
      shown === null ? [] : [[line, shown, i] as const],
    );
    const allCommands = blocks.map(({ commands }) => commands).join('');
    /**
     * For each address, blockhash and signature on the page, the one it stood for; and the other way round.
     */
    const printedBy = new Map<string, string>();
    const shownBy = new Map<string, string>();
    let outputs: readonly string[];

    beforeAll(async () => {
      // A page begins on a new ledger, as its reader does.
      await callLedger(stack.ledgerUrl, 'surfnet_resetNetwork');
      const folder = await folderOfFile();
      outputs = await runInBash(
        folder,
        blocks.map(({ commands }) => withFreePorts(commands, stack)),
        portsOf(stack),
      );
    }, 600_000);

    it.each(comparable)('on line %i print the output it shows', (_line, expected, i) => {
      const { shown, printed, names } = compareOutputs(
        withFreePorts(expected, stack),
        outputs[i] ?? '',
        allCommands,
      );
      expect(printed).toBe(shown);
      expect(names).not.toBeNull();
      for (const [placeholder, actual] of names ?? []) {
        expect(printedBy.get(placeholder) ?? actual, `what ${placeholder} stands for`).toBe(actual);
        expect(shownBy.get(actual) ?? placeholder, `what stands for ${actual}`).toBe(placeholder);
        printedBy.set(placeholder, actual);
        shownBy.set(actual, placeholder);
      }
    });
  },
);

describe("the pages' commands", () => {
  it('run: at least those of the README and the tour', () => {
    expect(runnable.map(({ path }) => path)).toEqual(expect.arrayContaining(FIRST_PAGES));
  });

  const scripts = PAGES.flatMap(({ text }) => [
    ...text.matchAll(/\bnpm (?:run )?(?<name>(?<=run )[\w:-]+|start|test)/g),
  ]);
  const names = new Set(scripts.map(({ groups }) => groups?.['name']));

  it.each([...names])('npm %s is a script of the package', (name) => {
    expect(Object.keys(PACKAGE.scripts)).toContain(name);
  });
});

describe.skipIf(process.platform === 'win32')(`the banner's commands (need ${NEEDS_BASH})`, () => {
  it('bring a new wallet a private balance', async () => {
    const [line = ''] = stack.output().stdout.match(/^ +node .* wallet new .*$/m) ?? [];
    const [output = ''] = await runInBash(await folderOfFile(), [`${line.trim()} --yes`]);
    expect(output).toMatch(/\narrived \S+\n$/);
  });
});

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example: unknown }> };
  readonly responses: Record<string, unknown>;
}

describe('the requests that /doc shows', () => {
  beforeAll(() => callLedger(stack.ledgerUrl, 'surfnet_resetNetwork'));

  async function readDescription(): Promise<Map<string, Described & { path: string; method: string }>> {
    const answer = await fetch(`${stack.serviceUrl}/doc`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Described>> };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, described]) => ({ ...described, path, method })),
    );
    return new Map(operations.map((operation) => [operation.operationId, operation]));
  }

  it('are those of every operation', async () => {
    expect([...(await readDescription()).keys()].toSorted()).toEqual(Object.keys(OUTCOMES).toSorted());
  });

  it.each(Object.entries(OUTCOMES))('%s: is valid, and returns %s', async (operationId, outcome) => {
    const operation = (await readDescription()).get(operationId);
    if (operation === undefined) throw new Error('is not described');
    const { path, method, parameters = [], requestBody, responses } = operation;
    const query = new URLSearchParams(
      parameters.flatMap<[string, string]>(({ name, example }) =>
        example === undefined ? [] : [[name, example]],
      ),
    );
    const answer = await fetch(`${stack.serviceUrl}${path}?${query}`, {
      method: method.toUpperCase(),
      ...(requestBody && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(requestBody.content['application/json']?.example),
      }),
    });
    const text = await answer.text();
    expect(answer.status, text).not.toBe(422);
    expect(Object.keys(responses)).toContain(String(answer.status));
    expect(answer.ok ? answer.status : (JSON.parse(text) as { code: string }).code).toBe(outcome);
  });
});
