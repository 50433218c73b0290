import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areLibrariesInstalled, INSTALL_COMMAND } from './installed.ts';

const readPackage = (path: string): { version: string; dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(new URL(`libraries/${path}package.json`, import.meta.url), 'utf8'));

const REASON = areLibrariesInstalled
  ? ''
  : ` (skipped with all their flows: run \`${INSTALL_COMMAND}\` first)`;

describe('the client libraries in their own package', () => {
  it.skipIf(!areLibrariesInstalled)(`are installed in the versions it names${REASON}`, () => {
    const { dependencies: named } = readPackage('');
    const installed = Object.keys(named).map((name) => [name, readPackage(`node_modules/${name}/`).version]);
    expect(Object.fromEntries(installed)).toEqual(named);
  });
});
