import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { binaryPlace, findBinary, installBinary } from '../../scripts/external-validator/find-binary.ts';
import { temporaryFolder } from '../folders.ts';

const IN_PACKAGE = 'node_modules/@magicblock-labs/ephemeral-validator-linux-x64/bin/ephemeral-validator';

function writeBinary(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  return path;
}

it('looks for the validator in the cache of this user if EPHEMERAL_VALIDATOR_BIN is not set', () => {
  expect(binaryPlace({ EPHEMERAL_VALIDATOR_BIN: '/validator' })).toBe('/validator');
  const own = { XDG_CACHE_HOME: '/cache', EPHEMERAL_VALIDATOR_BIN: '' };
  expect(binaryPlace(own)).toBe('/cache/spl-private-payments/external-validator');
});

it('prefers the binary of a known version to one of an unknown version', async () => {
  const folder = await temporaryFolder(onTestFinished);
  expect(findBinary(folder, '0.14.10')).toBeUndefined();
  const any = writeBinary(join(folder, IN_PACKAGE));
  const newer = writeBinary(join(folder, '0.14.10', IN_PACKAGE));
  expect(findBinary(folder, '0.14.10')).toBe(newer);
  expect(findBinary(folder, '0.8.3')).toBe(any);
  expect(findBinary(any, '0.8.3')).toBe(any);
});

it('installs exactly one version with npm, without its scripts, in its own folder, and only once', async () => {
  const folder = await temporaryFolder(onTestFinished);
  const said = writeNpm(
    folder,
    `mkdir -p ${dirname(join(folder, '0.14.10', IN_PACKAGE))}
touch ${join(folder, '0.14.10', IN_PACKAGE)}`,
  );
  withPath(folder, () => installBinary(folder, '0.14.10'));
  withPath(folder, () => installBinary(folder, '0.14.10'));
  const [only = '', ...more] = readFileSync(said, 'utf8').trim().split('\n');
  expect(only).toContain('install --ignore-scripts');
  expect(only).toContain(
    `--prefix ${join(folder, '0.14.10')} @magicblock-labs/ephemeral-validator-linux-x64@0.14.10`,
  );
  expect(more).toEqual([]);
});

it('says which package could not be installed', async () => {
  const folder = await temporaryFolder(onTestFinished);
  writeNpm(folder, 'exit 1');
  expect(() => withPath(folder, () => installBinary(folder, '0.8.3'))).toThrow(
    'npm could not install @magicblock-labs/ephemeral-validator-linux-x64@0.8.3',
  );
});

/** Writes a replacement for npm. Returns the file in which it records its arguments. */
function writeNpm(folder: string, does: string): string {
  const [npm, said] = [join(folder, 'npm'), join(folder, 'said')];
  writeFileSync(npm, `#!/bin/sh\necho "$@" >> ${said}\n${does}\n`);
  chmodSync(npm, 0o755);
  return said;
}

/** Does something that does not wait with a folder first among those of commands. */
function withPath(folder: string, act: () => void): void {
  const { PATH = '' } = process.env;
  process.env['PATH'] = `${folder}:${PATH}`;
  try {
    act();
  } finally {
    process.env['PATH'] = PATH;
  }
}
