import type { ServerResponse } from 'node:http';
import type { RequestContext } from '../service/request-context.ts';

/** One path of the page's API. */
export interface ApiRoute {
  /** The exact path, below `/console/api/`. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Answers through `context`; only a stream writes to `response` itself. */
  serve(context: RequestContext, response: ServerResponse): void | Promise<void>;
}

/** A path that tells one thing, as JSON. */
export function createReadRoute(
  path: string,
  read: (query: URLSearchParams) => object | Promise<object>,
): ApiRoute {
  return {
    path,
    method: 'GET',
    async serve(context) {
      const { url = '' } = context.request;
      const at = url.indexOf('?');
      const value = await read(new URLSearchParams(at < 0 ? '' : url.slice(at)));
      context.answer({ status: 200, contentType: 'application/json', body: JSON.stringify(value) });
    },
  };
}
