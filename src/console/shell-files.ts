import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';

/** A name inside the folder: the build writes no other. */
const NAME = z.string().regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]*$/);

/** `manifest.json`, which the build writes beside the files. */
const MANIFEST = z.object({
  shell: NAME,
  files: z.record(NAME, z.object({ type: z.string(), etag: z.string().optional(), br: NAME, gzip: NAME })),
});

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

/** The files of the page, by their names below `/console/`. */
export interface ShellFiles {
  readonly shell: ShellFile;
  readonly files: ReadonlyMap<string, ShellFile>;
}

/**
 * Reads the page that the build has put into `folder`: once, so that no request leads to the disk. Null where
 * there is none, as where the program is run from its source.
 */
export function readShellFiles(folder: string, logger: Logger): ShellFiles | null {
  try {
    const manifest = MANIFEST.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
    const read = (name: string): Buffer => readFileSync(join(folder, name));
    const files = new Map(
      Object.entries(manifest.files).map(([name, { type, br, gzip }]) => {
        const zipped = read(gzip);
        const plain = gunzipSync(zipped);
        return [name, { type, etag: etagOf(plain), plain, br: read(br), gzip: zipped }];
      }),
    );
    const shell = files.get(manifest.shell);
    if (shell === undefined) throw new Error('the manifest has no file for the shell');
    return { shell, files };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing) logger.warn(failureFields(error), 'the files of the console cannot be used');
    return null;
  }
}

/** Of the bytes themselves, so that whatever the manifest says, a change is seen. */
function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
