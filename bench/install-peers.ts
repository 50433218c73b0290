import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs what the benchmark compares with (package.json of this folder), unless it is there. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  // npm writes this last: what is there without it was interrupted.
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  console.log('Installing what the benchmark compares with (bench/package.json) ...');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
