import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findRegistry, tarballUrl } from './dumps.ts';

const findIn = (registry: string): Promise<URL> => findRegistry({ npm_config_registry: registry });

const isRefused = async (registry: string): Promise<boolean> => {
  const error: unknown = await findIn(registry).catch((thrown: unknown) => thrown);
  expect(String(error)).not.toContain(registry);
  return isServiceError(error, 'CONFIG_INVALID');
};

describe('the npm registry', () => {
  it('is the one that npm is configured to use', async () => {
    const folder = temporaryFolder();
    const script = '#!/bin/sh\n[ "$*" = "config get registry" ] && echo https://of-npm.example/all/\n';
    writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH']}`, npm_config_registry: '' };
    expect((await findRegistry(env)).href).toBe('https://of-npm.example/all/');
  });

  it('must be named if there is no npm', async () => {
    await expect(findRegistry({ PATH: temporaryFolder() })).rejects.toThrow(/set npm_config_registry/);
  });

  it('can be set in the environment, in lower or upper case', async () => {
    expect((await findRegistry({ NPM_CONFIG_REGISTRY: 'https://a.example/' })).host).toBe('a.example');
    const both = { npm_config_registry: 'https://b.example/', NPM_CONFIG_REGISTRY: 'https://a.example/' };
    expect((await findRegistry(both)).host).toBe('b.example');
  });

  it('is reached without TLS on this machine only', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect((await findIn(`http://${host}:4873/`)).port).toBe('4873');
    }
    for (const host of ['registry.example', '127.0.0.1.example', '10.0.0.1', 'localhost.example']) {
      expect(await isRefused(`http://${host}/`), host).toBe(true);
    }
  });

  it('must have an https URL without a password, which would be shown', async () => {
    for (const text of [
      'registry.example',
      'ftp://registry.example',
      'file:///tmp',
      'https://me:pw@a.example/',
    ]) {
      expect(await isRefused(text), text).toBe(true);
    }
  });

  it('serves a tarball below its own path', () => {
    const url = (registry: string, name: string): string => tarballUrl(new URL(registry), name, '1.2.3').href;
    expect(url('https://a.example', '@scope/name')).toBe('https://a.example/@scope/name/-/name-1.2.3.tgz');
    expect(url('https://a.example/npm/all', 'name')).toBe('https://a.example/npm/all/name/-/name-1.2.3.tgz');
    expect(url('https://a.example/npm/?key=1', 'name')).toBe('https://a.example/npm/name/-/name-1.2.3.tgz');
  });
});
