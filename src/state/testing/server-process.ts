import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server of Debian that tests run as a child process. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  /** Kills the process and deletes its folder. */
  stop(): Promise<void>;
}

/** Folders of programs, including those of Debian that are not on the PATH of users. */
const FOLDERS = [
  ...(existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
  ...(process.env['PATH'] ?? '').split(':'),
  '/usr/sbin',
];

/** Returns the path of an installed program; undefined if there is none. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * Returns why a test cannot run without these programs; undefined if all are installed.
 *
 * @throws Error if one is missing and `SERVER_TESTS` is `required`, as in CI.
 */
export function missingPrograms(...names: readonly string[]): string | undefined {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return undefined;
  const reason = `${missing.join(' and ')} not installed`;
  if (process.env['SERVER_TESTS'] === 'required') throw new Error(`SERVER_TESTS is required: ${reason}`);
  return reason;
}

/** Returns a port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a program that ends with this process, even if this process is killed.
 *
 * @param user name of the user to run as if this process is root. Default: the same user.
 */
export function startProgram(name: string, args: readonly string[], user?: string): ChildProcess {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed`);
  const setpriv = findProgram('setpriv');
  const as = user !== undefined && process.getuid?.() === 0 ? [`--reuid=${user}`, '--clear-groups'] : [];
  const command = setpriv === undefined ? [program] : [setpriv, ...as, '--pdeathsig=KILL', program];
  const [file = '', ...before] = command;
  return spawn(file, [...before, ...args], { stdio: process.env['SERVER_LOGS'] ? 'inherit' : 'ignore' });
}

/** Debian's user for PostgreSQL, or one without rights. PostgreSQL refuses to run as root. */
const postgresUser = (): string => (spawnSync('id', ['postgres']).status === 0 ? 'postgres' : 'nobody');

/** Starts PostgreSQL with an empty database in a temporary folder. */
export async function startPostgres(): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'spl-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const user = postgresUser();
  if (isRoot) chownSync(folder, Number(execFileSync('id', ['-u', user])), 0);
  const initdb = startProgram(
    'initdb',
    ['-D', folder, '-U', 'spp', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    user,
  );
  const code = await new Promise((resolve) => initdb.once('exit', resolve));
  if (code !== 0) throw new Error(`initdb failed with ${String(code)}`);
  const port = await freePort();
  const settings = [
    'fsync=off',
    'max_connections=60',
    `unix_socket_directories=${folder}`,
    'shared_buffers=16MB',
  ];
  const args = [
    '-D',
    folder,
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    ...settings.flatMap((each) => ['-c', each]),
  ];
  const child = startProgram('postgres', args, user);
  const isReady = (): boolean =>
    spawnSync(findProgram('pg_isready') ?? '', ['-h', '127.0.0.1', '-p', String(port)]).status === 0;
  return await whenReady(child, isReady, { url: `postgres://spp@127.0.0.1:${port}/postgres`, port, folder });
}

/** Starts Redis without persistence. */
export async function startRedis(): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'spl-redis-'));
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const child = startProgram('redis-server', args);
  const isReady = (): boolean =>
    spawnSync(findProgram('redis-cli') ?? '', ['-p', String(port), 'ping'], {
      encoding: 'utf8',
    }).stdout.includes('PONG');
  return await whenReady(child, isReady, { url: `redis://127.0.0.1:${port}`, port, folder });
}

interface Place {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
}

async function whenReady(
  child: ChildProcess,
  isReady: () => boolean,
  { url, port, folder }: Place,
): Promise<ServerProcess> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!isReady()) {
    if (child.exitCode !== null)
      throw new Error(`${child.spawnfile} ended with ${child.exitCode}; SERVER_LOGS=1 shows why`);
    await sleep(20);
  }
  return {
    url,
    port,
    stop: async () => {
      // PostgreSQL ends its children on SIGQUIT, which also ends Redis.
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
