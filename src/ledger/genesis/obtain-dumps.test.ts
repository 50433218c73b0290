import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, serveHttp } from '../../chain/testing/loopback-server.ts';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import { obtainDumps, type ObtainDumpsOptions } from './dumps.ts';
import { makePackage } from './testing/tarball.ts';

const DUMPS = { 'program.so': 'code'.repeat(500), 'account.json': '{}' };
const { source, tarball } = makePackage(DUMPS);

let root: string;
let cache: string;
const closers: (() => unknown)[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spl-obtain-'));
  cache = join(root, 'caches', 'dumps');
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(root, { recursive: true });
});

async function serve(listener: RequestListener): Promise<LoopbackServer> {
  const server = await serveHttp(listener);
  closers.push(() => server.close());
  return server;
}

const optionsFor = (registry: URL, changes: Partial<ObtainDumpsOptions> = {}): ObtainDumpsOptions => ({
  logger: silentLogger,
  env: { npm_config_registry: registry.href },
  folders: { installed: null, cache },
  source,
  ...changes,
});

/** Why they cannot be had from a registry that answers like this; nothing is kept then. */
async function refusal(
  listener: RequestListener,
  changes: Partial<ObtainDumpsOptions> = {},
): Promise<string> {
  const server = await serve(listener);
  const error = await obtainDumps(optionsFor(server.url, changes)).catch((thrown: unknown) => thrown);
  expect(isServiceError(error, 'PROGRAM_BINARIES_MISSING')).toBe(true);
  expect(() => readdirSync(cache)).toThrow('ENOENT');
  const { message } = error as ServiceError;
  expect(message).toContain('npm install @test/dumps@1.2.3');
  expect(message).toContain(cache);
  return message;
}

const kept = (): Record<string, string> =>
  Object.fromEntries(readdirSync(cache).map((file) => [file, readFileSync(join(cache, file), 'utf8')]));

describe('the dumps', () => {
  it('are fetched once, at the exact version, and stored for this user only, with a note of their license', async () => {
    const asked: unknown[] = [];
    const server = await serve(({ method, url }, response) => {
      asked.push([method, url]);
      response.end(tarball);
    });
    const told: string[] = [];
    const logger = { ...silentLogger, info: (_: object, message: string) => void told.push(message) };
    await obtainDumps(optionsFor(server.url, { logger }));
    await obtainDumps(optionsFor(server.url, { logger }));
    expect(asked).toEqual([['GET', '/@test/dumps/-/dumps-1.2.3.tgz']]);
    expect(kept()).toEqual({ ...DUMPS, 'NOTICE.txt': expect.stringContaining('Test License 1.0') });
    expect(told[0]).toContain('Test License 1.0, non-production use only');
    expect(told).toHaveLength(2);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(cache)) expect(statSync(join(cache, file)).mode & 0o777).toBe(0o600);
  });

  it('are not fetched if the package is installed', async () => {
    const installed = join(root, 'installed');
    mkdirSync(installed);
    for (const [file, text] of Object.entries(DUMPS)) writeFileSync(join(installed, file), text);
    const server = await serve((_, response) => response.end(tarball));
    await obtainDumps(optionsFor(server.url, { folders: { installed, cache } }));
    expect(server.connections()).toBe(0);
  });

  it('are fetched again if a stored one is missing or damaged', async () => {
    const server = await serve((_, response) => response.end(tarball));
    await obtainDumps(optionsFor(server.url));
    writeFileSync(join(cache, 'program.so'), 'half of the c');
    await obtainDumps(optionsFor(server.url));
    expect(kept()).toMatchObject(DUMPS);
    rmSync(join(cache, 'account.json'));
    await obtainDumps(optionsFor(server.url));
    expect(kept()).toMatchObject(DUMPS);
  });

  it('are stored completely by several concurrent fetches', async () => {
    const server = await serve((_, response) => response.end(tarball));
    await Promise.all(Array.from({ length: 5 }, () => obtainDumps(optionsFor(server.url))));
    expect(kept()).toEqual({ ...DUMPS, 'NOTICE.txt': expect.anything() });
  });

  it('are rejected with another hash', async () => {
    const other = Buffer.from(tarball);
    other[20] = (other[20] ?? 0) ^ 0x01;
    expect(await refusal((_, response) => response.end(other))).toContain('with an unexpected hash');
    const half = tarball.subarray(0, 40);
    expect(await refusal((_, response) => response.end(half))).toContain('with an unexpected hash');
  });

  it('are not stored if one of them has another hash or is missing in the tarball', async () => {
    const server = await serve((_, response) => response.end(tarball));
    const refused = async (dumps: readonly (readonly [string, string])[]): Promise<string> => {
      const options = optionsFor(server.url, { source: { ...source, dumps: new Map(dumps) } });
      const { message } = (await obtainDumps(options).catch((thrown: unknown) => thrown)) as Error;
      expect(() => readdirSync(cache)).toThrow('ENOENT');
      return message;
    };
    expect(await refused([...source.dumps, ['program.so', 'f00d']])).toContain(
      'no program.so with the expected hash',
    );
    expect(await refused([['../package.json', 'f00d']])).toContain(
      'no ../package.json with the expected hash',
    );
  });

  it('are rejected if the connection ends too early', async () => {
    const message = await refusal((_, response) => {
      response.writeHead(200, { 'content-length': tarball.length });
      response.write(tarball.subarray(0, 40), () => response.destroy());
    });
    expect(message).toContain('cannot be reached');
  });

  it('are rejected from a registry that takes too long before or during its answer', async () => {
    const late = 'did not send the whole file within 0.05 s';
    expect(await refusal(() => {}, { timeoutMs: 50 })).toContain(late);
    const message = await refusal((_, response) => response.write(tarball.subarray(0, 40)), {
      timeoutMs: 50,
    });
    expect(message).toContain(late);
  });

  it('are not fetched from the target of a redirect', async () => {
    const target = await serve((_, response) => response.end(tarball));
    const message = await refusal((_, response) =>
      response.writeHead(302, { location: target.url.href }).end(),
    );
    expect(message).toContain('answers with status 302, and redirects are not followed');
    expect(target.connections()).toBe(0);
  });

  it('are rejected with the status of a registry that does not have them', async () => {
    expect(await refusal((_, response) => response.writeHead(404).end())).toContain(
      'answers with status 404.',
    );
  });

  it('are rejected with a sentence if there is no registry', async () => {
    const server = await serve(() => {});
    await server.close();
    await expect(obtainDumps(optionsFor(server.url))).rejects.toMatchObject({
      code: 'PROGRAM_BINARIES_MISSING',
      message: expect.stringContaining(
        `The npm registry at 127.0.0.1:${server.port} cannot be reached (ECONNREFUSED).`,
      ),
    });
  });

  it('are rejected with a sentence if the cache folder cannot be created', async () => {
    const server = await serve((_, response) => response.end(tarball));
    writeFileSync(join(root, 'caches'), 'a file is in the way');
    await expect(obtainDumps(optionsFor(server.url))).rejects.toMatchObject({
      code: 'PROGRAM_BINARIES_MISSING',
      message: expect.stringMatching(/cannot be stored \(E[A-Z]+\): set XDG_CACHE_HOME/),
    });
  });

  it('leave no temporary files behind', async () => {
    const server = await serve((_, response) => response.end(tarball));
    mkdirSync(join(cache, 'program.so'), { recursive: true });
    await expect(obtainDumps(optionsFor(server.url))).rejects.toMatchObject({
      message: expect.stringContaining('cannot be stored (EISDIR)'),
    });
    expect(readdirSync(cache).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
