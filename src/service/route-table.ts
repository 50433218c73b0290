import type { RefusalWriter } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Handles a request. It responds through `context.answer`, possibly later. */
export type RouteHandler = (context: RequestContext) => void | Promise<void>;

/** The handlers of one path. */
export interface Route {
  /** The exact path. */
  readonly path: string;
  /** An alternative spelling. */
  readonly alias?: string;
  /** Handlers by HTTP method. A GET handler also serves HEAD, for which node:http omits the body. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', RouteHandler>>>;
  /**
   * Whether the path is part of the API. It then allows cross-origin requests from accepted origins (CORS),
   * and the rate limit counts its requests.
   */
  readonly isApi?: boolean;
  /** Whether the path is a probe, which accepts any host (`judgeProbe`). */
  readonly isProbe?: boolean;
  /** Writes refusals at this path; default problem details. */
  readonly writeRefusal?: RefusalWriter;
}

/** A route prepared for look-ups by method. */
export interface RouteEntry {
  readonly handlers: ReadonlyMap<string, RouteHandler>;
  /** The value of the `Allow` header. */
  readonly allow: string;
  readonly isApi: boolean;
  readonly isProbe: boolean;
  readonly writeRefusal: RefusalWriter | undefined;
}

type RouteTable = ReadonlyMap<string, RouteEntry>;

/**
 * Prepares routes for look-ups by path and method.
 *
 * @throws Error if two routes have the same path.
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const table = new Map<string, RouteEntry>();
  for (const { path, alias, methods, isApi = false, isProbe = false, writeRefusal } of routes) {
    const handlers = new Map<string, RouteHandler>();
    if (methods.GET !== undefined) handlers.set('GET', methods.GET).set('HEAD', methods.GET);
    if (methods.POST !== undefined) handlers.set('POST', methods.POST);
    const entry = { handlers, allow: [...handlers.keys()].join(', '), isApi, isProbe, writeRefusal };
    for (const spelling of alias === undefined ? [path] : [path, alias]) {
      if (table.has(spelling)) throw new Error(`two routes claim ${spelling}`);
      table.set(spelling, entry);
    }
  }
  return table;
}
