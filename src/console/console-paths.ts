import type { IncomingMessage } from 'node:http';
import { pathOf } from '../service/request-path.ts';
import type { RequestHandler } from '../http/server.ts';
import { prefersHtml } from './prefers-html.ts';

/** Whether a path is the console's, whoever asks. */
export function isConsolePath(path: string): boolean {
  return path === '/console' || path.startsWith('/console/');
}

/** Whether a request is for the console: by its path, or because it wants a page at `/`. */
function isForConsole({ url = '', method, headers }: IncomingMessage): boolean {
  const path = pathOf(url);
  if (isConsolePath(path)) return true;
  return path === '/' && (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept);
}

/** Hands requests for the console to it, and all others to the service. */
export function withConsole(service: RequestHandler, console: RequestHandler): RequestHandler {
  return (request, response) =>
    isForConsole(request) ? console(request, response) : service(request, response);
}
