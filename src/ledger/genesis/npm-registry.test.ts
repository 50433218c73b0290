import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { readRegistry, tarballUrl } from './dumps.ts';

const refusal = (registry: string): boolean => {
  try {
    readRegistry({ npm_config_registry: registry });
  } catch (error) {
    expect((error as Error).message).not.toContain(registry);
    return isServiceError(error, 'CONFIG_INVALID');
  }
  return false;
};

describe('the npm registry', () => {
  it("is npm's own by default", () => {
    expect(readRegistry({}).href).toBe('https://registry.npmjs.org/');
    expect(readRegistry({ npm_config_registry: '' }).href).toBe('https://registry.npmjs.org/');
  });

  it('is the one configured for npm, in lower or upper case', () => {
    expect(readRegistry({ NPM_CONFIG_REGISTRY: 'https://a.example/' }).host).toBe('a.example');
    const both = { npm_config_registry: 'https://b.example/', NPM_CONFIG_REGISTRY: 'https://a.example/' };
    expect(readRegistry(both).host).toBe('b.example');
  });

  it('is reached without TLS on this machine only', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(readRegistry({ npm_config_registry: `http://${host}:4873/` }).port).toBe('4873');
    }
    for (const host of ['registry.example', '127.0.0.1.example', '10.0.0.1', 'localhost.example']) {
      expect(refusal(`http://${host}/`), host).toBe(true);
    }
  });

  it('is no other kind of URL, and has no password, which would be shown', () => {
    for (const text of [
      'registry.example',
      'ftp://registry.example',
      'file:///tmp',
      'https://me:pw@a.example/',
    ]) {
      expect(refusal(text), text).toBe(true);
    }
  });

  it('serves a tarball below its own path', () => {
    const url = (registry: string, name: string): string => tarballUrl(new URL(registry), name, '1.2.3').href;
    expect(url('https://a.example', '@scope/name')).toBe('https://a.example/@scope/name/-/name-1.2.3.tgz');
    expect(url('https://a.example/npm/all', 'name')).toBe('https://a.example/npm/all/name/-/name-1.2.3.tgz');
    expect(url('https://a.example/npm/?key=1', 'name')).toBe('https://a.example/npm/name/-/name-1.2.3.tgz');
  });
});
