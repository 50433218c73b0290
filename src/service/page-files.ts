import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';
import { NOT_FOUND } from './refusal.ts';
import type { RequestContext } from './request-context.ts';
import { qualityOf } from './request-head.ts';

/** Media types of page files. Other files are not served. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
]);

interface PageFile {
  /** Media type with parameters. */
  readonly type: string;
  /** Value of the `ETag` header, with quotes; the same for all encodings. */
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The files of a web page: `index.html`, and the others by their path in its folder. */
export interface PageFiles {
  readonly shell: PageFile;
  readonly files: ReadonlyMap<string, PageFile>;
}

/** Reads the built page in `folder` into memory; null if there is none, for example in a source checkout. */
export function readPage(folder: string, logger: Logger): PageFiles | null {
  try {
    const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
    const files = assets.filter((name) => TYPES.has(extname(name)));
    return {
      shell: readFile(folder, 'index.html'),
      files: new Map(files.map((name) => [name, readFile(folder, name)])),
    };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing) logger.warn(failureFields(error), 'the files of a page cannot be read');
    return null;
  }
}

function readFile(folder: string, name: string): PageFile {
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

/** Headers that limit the page to its own scripts and origin. No site may frame or access the page. */
const PAGE_HEADERS = [
  'content-security-policy',
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
] as const;

/**
 * Serves the page itself, which caches must revalidate.
 *
 * @param files the page; null if it is not built.
 * @param vary the request headers that decide what is served at this path, in addition to `Accept-Encoding`.
 */
export function servePage(context: RequestContext, files: PageFiles | null, vary: readonly string[]): void {
  context.addHeaders(['cache-control', 'no-cache', 'vary', [...vary, 'Accept-Encoding'].join(', ')]);
  if (files !== null) return serveFile(context, files.shell);
  context.addHeaders(PAGE_HEADERS);
  return context.answer({ status: 200, contentType: 'text/html; charset=utf-8', body: NOT_BUILT });
}

const NOT_BUILT =
  '<!doctype html><meta charset="utf-8"><title>Not built</title><p>The page is not built: run <code>npm run build</code> and start again. The API is documented at <a href="/reference">/reference</a>.</p>\n';

/** Serves a file whose name changes with its content, so caches may keep it forever. */
export function serveAsset(context: RequestContext, file: PageFile | undefined): void {
  if (file === undefined) return context.refuse(NOT_FOUND);
  context.addHeaders(['cache-control', 'public, max-age=31536000, immutable', 'vary', 'Accept-Encoding']);
  return serveFile(context, file);
}

function serveFile(context: RequestContext, file: PageFile): void {
  context.addHeaders([...PAGE_HEADERS, 'etag', file.etag]);
  if (isCurrent(context.headers['if-none-match'], file.etag)) return context.answer({ status: 304 });
  const { bytes, encoding } = chooseForm(context.headers, file);
  const headers = encoding === null ? [] : ['content-encoding', encoding];
  return context.answer({ status: 200, contentType: file.type, body: bytes, headers });
}

/** Whether the client already has this version (RFC 9110 section 13.1.2). */
function isCurrent(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((item) => item.trim().replace(/^W\//, '') === etag);
}

function chooseForm(
  headers: IncomingHttpHeaders,
  file: PageFile,
): { bytes: Buffer; encoding: string | null } {
  const accepted = headers['accept-encoding'];
  const header = Array.isArray(accepted) ? accepted.join() : accepted;
  if ((qualityOf(header, 'br') ?? 0) > 0) return { bytes: file.br, encoding: 'br' };
  if ((qualityOf(header, 'gzip') ?? 0) > 0) return { bytes: file.gzip, encoding: 'gzip' };
  return { bytes: file.plain, encoding: null };
}
