import { ServiceError } from '../../errors/service-error.ts';

/** npm's default (npm docs, config, `registry`). */
const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';

/** Hosts for which plain HTTP does not leave this machine. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The registry from npm's environment variable, or npm's default.
 *
 * @throws {ServiceError} CONFIG_INVALID if the URL has no TLS or contains a password.
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

/** The URL of a package's tarball. The scope is not part of the file name. */
export function tarballUrl(registry: URL, name: string, version: string): URL {
  const base = new URL(registry);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(`${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`, base);
}
