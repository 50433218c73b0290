import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs the packages for the comparison (package.json of this folder), unless they are installed. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const writtenMs = (file: string): number =>
    statSync(`${folder}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // npm writes this file last. Without it, an installation is incomplete.
  if (writtenMs('node_modules/.package-lock.json') >= writtenMs('package-lock.json')) return;
  console.log('Installing the packages to compare with (bench/package.json) ...');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
