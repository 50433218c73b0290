import { ServiceError } from '../../errors/service-error.ts';

/** npm's default (npm docs, config, `registry`). */
const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';

/** Where plain HTTP goes no further than this machine. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The registry that npm is told of by its environment variable, or npm's own.
 *
 * @throws {ServiceError} CONFIG_INVALID for one that is reached without TLS, or with a password.
 */
export function readRegistry(env: NodeJS.ProcessEnv): URL {
  const text = env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'] || DEFAULT_REGISTRY;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '') {
    throw new ServiceError(
      'CONFIG_INVALID',
      'npm_config_registry must be an https URL (http on this machine only) without user name and password',
      { variable: 'npm_config_registry' },
    );
  }
  return url;
}

/** Where a registry serves the tarball of a package. A scope is not part of the file's name. */
export function tarballUrl(registry: URL, name: string, version: string): URL {
  const base = new URL(registry);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(`${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`, base);
}
