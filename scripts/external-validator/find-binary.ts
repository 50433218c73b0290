import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findDumpFolders } from '../../src/ledger/genesis/dumps.ts';
import { PACKAGE } from './versions.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The place to look for a binary: `EPHEMERAL_VALIDATOR_BIN`, else this user's cache. */
export function binaryPlace(env: Env): string {
  const named = env['EPHEMERAL_VALIDATOR_BIN'] ?? '';
  return named === '' ? join(dirname(findDumpFolders(env).cache), 'external-validator') : named;
}

/** Finds the binary of a version. A place is the binary or an npm folder; undefined if there is none. */
export function findBinary(place: string, version: string): string | undefined {
  const inPackage = join('node_modules', PACKAGE, 'bin/ephemeral-validator');
  return [
    join(place, version, inPackage),
    place,
    join(place, 'bin/ephemeral-validator'),
    join(place, inPackage),
  ].find((path) => existsSync(path) && statSync(path).isFile());
}

/**
 * Installs a version with npm into a subfolder of a place, unless it is installed. Its license is
 * MagicBlock's (Business Source License 1.1, for non-production use only).
 *
 * @throws {Error} if npm fails; its output has the reason.
 */
export function installBinary(place: string, version: string): void {
  if (findBinary(place, version) !== undefined) return;
  const args = ['install', '--ignore-scripts', '--no-package-lock', '--no-fund', '--no-audit', '--prefix'];
  const { status, error } = spawnSync('npm', [...args, join(place, version), `${PACKAGE}@${version}`], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm could not install ${PACKAGE}@${version}`, { cause: error });
}
