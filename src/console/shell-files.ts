import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';

/** Media types of the files that make up the page; what else lies beside them is not sent. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
]);

/** One file of the page, in the forms that it is sent in. */
export interface ShellFile {
  /** Its media type, with parameters. */
  readonly type: string;
  /** With quotes, as in the header; the same for all forms. */
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The page: `index.html`, and the files that it names, by their names below `/console/`. */
export interface ShellFiles {
  readonly shell: ShellFile;
  readonly files: ReadonlyMap<string, ShellFile>;
}

/**
 * Reads the page that `scripts/bundle.mjs` has put into `folder`: once, so that no request leads to the disk.
 * Null where there is none, as where the program is run from its source.
 */
export function readShellFiles(folder: string, logger: Logger): ShellFiles | null {
  try {
    const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
    const files = assets.filter((name) => TYPES.has(extname(name)));
    return {
      shell: readFile(folder, 'index.html'),
      files: new Map(files.map((name) => [name, readFile(folder, name)])),
    };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing) logger.warn(failureFields(error), 'the files of the console cannot be used');
    return null;
  }
}

/** A file of a type that is sent, with its two compressed forms beside it. */
function readFile(folder: string, name: string): ShellFile {
  const path = join(folder, name);
  const plain = readFileSync(path);
  return {
    type: TYPES.get(extname(name)) ?? '',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    br: readFileSync(`${path}.br`),
    gzip: readFileSync(`${path}.gz`),
  };
}
