import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Recipe } from './probe.ts';

/** Composes the command that runs the validator. Compiles the shim into `folder` if needed. */
export function composeCommand(recipe: Recipe, folder: string, args: readonly string[]): string[] {
  const { binary, libraryRoot, needsShim } = recipe;
  const shim = needsShim ? compileShim(folder) : null;
  if (libraryRoot === null) {
    return [...(shim === null ? [] : ['env', `LD_PRELOAD=${shim}`]), binary, ...args];
  }
  // `--preload` affects only the validator. Other processes could not load a shim for these libraries.
  const preload = shim === null ? [] : ['--preload', shim];
  return [libraryRoot.loader, ...preload, '--library-path', libraryRoot.libraries, binary, ...args];
}

/** Composes a line for sh that writes its process id to a file and then becomes the validator. */
export function composeShellLine(command: readonly string[], pidFile: string): string {
  return `echo $$ > ${quote(pidFile)}; exec ${command.map(quote).join(' ')}`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function compileShim(folder: string): string {
  const source = fileURLToPath(new URL('open-file-limit.c', import.meta.url));
  const shim = join(folder, 'open-file-limit.so');
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, source], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`cc could not compile ${source}: ${stderr}`);
  return shim;
}
