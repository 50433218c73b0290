import { type PageFiles, serveAsset, servePage } from '../service/page-files.ts';
import { methodNotAllowed } from '../service/refusal.ts';
import type { RequestContext } from '../service/request-context.ts';

/** Path of the files with a hash in their names. */
const ASSETS = '/console/assets/';

/** Serves the page or one of its files. `files` is null if the page is not built. */
export function serveShell(context: RequestContext, files: PageFiles | null): void {
  const { path, request } = context;
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return context.refuse(methodNotAllowed('GET, HEAD'));
  if (path.startsWith(ASSETS)) return serveAsset(context, files?.files.get(path.slice('/console/'.length)));
  // The response at `/` is a page or a redirect, depending on `Accept`.
  return servePage(context, files, ['Accept']);
}
