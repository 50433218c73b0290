import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { VARIABLES } from '../../src/config/config.ts';
import { folderOfFile } from '../folders.ts';
import { IS_LONG } from '../length.ts';
import { contextEntries, copyContext, copyProductionPackages, linkPackages } from './image-context.ts';
import { readDockerfile, stagesOf } from './read-dockerfile.ts';

/**
 * deploy/Dockerfile without docker: its rules are read, and its stages are played in temporary folders that
 * have what their `COPY` and `npm ci` would put there, without a registry.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = readDockerfile(readFileSync(join(ROOT, 'deploy', 'Dockerfile'), 'utf8'));
const [BUILD = [], DEPENDENCIES = [], IMAGE = []] = stagesOf(FILE);

const textsOf = (stage: typeof FILE, wanted: string): string[] =>
  stage.filter(({ name }) => name === wanted).map(({ text }) => text);

const environment = Object.fromEntries(
  Array.from(
    textsOf(IMAGE, 'ENV')
      .join(' ')
      .matchAll(/(\w+)=(\S+)/g),
    ([, name = '', value = '']) => [name, value],
  ),
);

const listOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];

describe('the image', () => {
  it('is built in three stages from one base, whose tag is exact and slim', () => {
    expect(textsOf(FILE, 'FROM')).toEqual([
      '${NODE_IMAGE} AS build',
      '${NODE_IMAGE} AS dependencies',
      '${NODE_IMAGE}',
    ]);
    expect(textsOf(FILE, 'ARG')).toEqual([expect.stringMatching(/^NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/)]);
  });

  it('uses a Node version that the project is tested with', () => {
    const [, version = ''] = /node:([\d.]+)/.exec(textsOf(FILE, 'ARG').join()) ?? [];
    expect(readFileSync(join(ROOT, 'scripts', 'test-nodes.mjs'), 'utf8')).toContain(`'${version}'`);
  });

  it('runs as a numeric non-root user, who owns the data folder', () => {
    expect(textsOf(IMAGE, 'USER')).toEqual(['1000:1000']);
    expect(textsOf(IMAGE, 'VOLUME')).toEqual(['/data']);
    expect(textsOf(IMAGE, 'RUN')).toEqual(['install -d -o node -g node -m 0700 /data']);
  });

  it('writes only to its volume, so its root can be read-only', () => {
    expect(environment['DATA_DIR']).toMatch(/^\/data\//);
    expect(environment['XDG_CACHE_HOME']).toMatch(/^\/data\//);
  });

  it('sets only variables that the program or its parts read', () => {
    const known = new Set(Object.values(VARIABLES).map(({ name }) => name as string));
    const others = Object.keys(environment).filter((name) => !known.has(name));
    expect(others).toEqual(['NODE_ENV', 'XDG_CACHE_HOME']);
  });

  it('contains no key, password or URL with one, in settings or in build arguments', () => {
    const secret = /SECRET|TOKEN|PASSWORD|KEY|_URL\b/;
    const named = [...textsOf(FILE, 'ARG'), ...Object.keys(environment)];
    expect(named.filter((name) => secret.test(name.split('=')[0] ?? ''))).toEqual([]);
    expect(textsOf(FILE, 'RUN').filter((command) => /--mount=type=secret|\.npmrc/.test(command))).toEqual([]);
  });

  it('installs only packages in the lock file, and runs none of their scripts', () => {
    expect(textsOf(FILE, 'ADD')).toEqual([]);
    expect(
      textsOf(FILE, 'RUN').filter((command) => /curl|wget|apt-get|npm install|npx/.test(command)),
    ).toEqual([]);
    const installs = textsOf(FILE, 'RUN').filter((command) => command.includes('npm ci'));
    expect(installs.filter((command) => !command.includes('--ignore-scripts'))).toEqual([]);
  });

  it('never becomes root again after it drops privileges', () => {
    const named = IMAGE.map(({ name }) => name);
    expect(named.lastIndexOf('RUN')).toBeLessThan(named.indexOf('USER'));
    expect(named.lastIndexOf('USER')).toBe(named.indexOf('USER'));
  });

  it('starts node itself, so that signals reach the program', () => {
    expect(listOf(textsOf(IMAGE, 'ENTRYPOINT').join())).toEqual(['node', 'dist/bundle/main.js']);
    expect(textsOf(IMAGE, 'CMD')).toEqual([]);
  });

  it('exposes the default ports', () => {
    const { port, ledgerRpcPort, rollupRpcPort } = VARIABLES;
    const [service, ledger, rollup] = [port, ledgerRpcPort, rollupRpcPort].map((each) =>
      Number(each.default),
    );
    expect(textsOf(IMAGE, 'EXPOSE').join().split(' ').map(Number)).toEqual([
      service,
      ledger,
      Number(ledger) + 1,
      rollup,
      Number(rollup) + 1,
    ]);
  });

  it('contains only the output of two stages and the licenses', () => {
    expect(textsOf(IMAGE, 'COPY')).toEqual([
      '--from=dependencies /app ./',
      '--from=build /build/dist/bundle dist/bundle',
      '--from=build /build/dist/console dist/console',
      '--from=build /build/dist/pay dist/pay',
      'LICENSE THIRD-PARTY-NOTICES ./',
    ]);
    expect(textsOf(DEPENDENCIES, 'RUN')).toEqual([
      expect.stringMatching(/^npm ci --omit=dev --ignore-scripts /),
    ]);
  });

  it("has none of MagicBlock's programs in any layer", () => {
    const removed = textsOf(BUILD, 'RUN').filter((command) => command.includes('npm ci'));
    expect(removed).toEqual([expect.stringMatching(/&& rm -rf node_modules\/@magicblock-labs$/)]);
  });

  it('is built without settings, keys, ledgers and history', () => {
    expect(contextEntries().filter((entry) => /env|ledger|git|\*|^\.?$/.test(entry))).toEqual([]);
    for (const entry of contextEntries()) expect(existsSync(join(ROOT, entry)), entry).toBe(true);
  });
});

describe.runIf(IS_LONG)('the output of the stages', () => {
  let app: string;

  beforeAll(async () => {
    const build = await folderOfFile();
    app = await folderOfFile();
    copyContext(build);
    linkPackages(build);
    rmSync(join(build, 'node_modules', '@magicblock-labs'), { recursive: true, force: true });
    // npm makes these links after it installed; they lead to the same packages.
    symlinkSync(join(ROOT, 'node_modules', '.bin'), join(build, 'node_modules', '.bin'));
    const commands = textsOf(BUILD, 'RUN').filter((command) => !command.includes('npm ci'));
    expect(commands).toEqual(['node scripts/bundle.mjs']);
    for (const command of commands) execFileSync('sh', ['-c', command], { cwd: build, stdio: 'pipe' });
    copyProductionPackages(app);
    cpSync(join(build, 'package.json'), join(app, 'package.json'));
    cpSync(join(build, 'dist', 'bundle'), join(app, 'dist', 'bundle'), { recursive: true });
  });

  it('has no development packages', () => {
    for (const name of ['typescript', 'vitest', '@magicblock-labs']) {
      expect(existsSync(join(app, 'node_modules', name)), name).toBe(false);
    }
  });

  it('starts, becomes healthy, and exits with 0 when stopped', async () => {
    const [command = '', ...args] = listOf(textsOf(IMAGE, 'ENTRYPOINT').join());
    const data = await folderOfFile();
    const own = { DATA_DIR: join(data, 'ledger'), XDG_CACHE_HOME: join(data, 'cache') };
    // Loopback in place of the container's network; without the registry there are no programs to begin with.
    const ports = { HOST: '127.0.0.1', PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP: 'off' };
    const child = spawn(command, [...args, '--no-genesis-programs'], {
      cwd: app,
      env: { PATH: process.env['PATH'], ...environment, ...own, ...ports },
    });
    const port = await portOf(child);
    const probe = listOf(textsOf(IMAGE, 'HEALTHCHECK').join());
    expect(probeOf(probe, port)).toBe(0);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(probeOf(probe, port)).toBe(1);
  });
});

/** The port of the tool service, once the program is ready. */
async function portOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let printed = '';
  let told = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => (told += text));
  for await (const text of stdout?.setEncoding('utf8') ?? []) {
    printed += text as string;
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
    if (port !== undefined && printed.includes('Ready')) return port;
  }
  throw new Error(`it ended before it was ready: ${told}`);
}

const probeOf = ([command = '', ...args]: readonly string[], port: string): number | null =>
  spawnSync(command, args, { env: { PATH: process.env['PATH'], PORT: port } }).status;
