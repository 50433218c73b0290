import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from '../http/server.ts';
import { pathOf, qualityOf } from '../service/request-head.ts';

/** Whether a path belongs to the console. */
export function isConsolePath(path: string): boolean {
  return path === '/console' || path.startsWith('/console/');
}

/** Whether a request is for the console: by its path, or because it wants a page at `/`. */
function isForConsole({ url = '', method, headers }: IncomingMessage): boolean {
  const path = pathOf(url);
  if (isConsolePath(path)) return true;
  return path === '/' && (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept);
}

/** Passes requests for the console to `console`, and all others to `service`. */
export function withConsole(service: RequestHandler, console: RequestHandler): RequestHandler {
  return (request, response) =>
    isForConsole(request) ? console(request, response) : service(request, response);
}

/**
 * Whether an `Accept` header prefers a page: it names HTML, and prefers nothing else. Programs send none, or
 * accept anything.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const html = qualityOf(accept, 'text/html') ?? 0;
  if (html === 0) return false;
  return ['*/*', 'application/json'].every((type) => html >= (qualityOf(accept, type) ?? 0));
}
