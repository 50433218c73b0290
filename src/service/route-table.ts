import type { RefusalWriter } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Answers a request through `context.answer`, now or later. */
export type RouteHandler = (context: RequestContext) => void | Promise<void>;

/** What the service offers at one path. */
export interface Route {
  /** The exact path. */
  readonly path: string;
  /** An alternative spelling. */
  readonly alias?: string;
  /** By HTTP method. A GET handler serves HEAD too: node:http leaves the body out. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', RouteHandler>>>;
  /**
   * Whether programs and pages call this path as part of the API. It then allows cross-origin requests from
   * permitted origins (CORS), and the rate limit counts its requests.
   */
  readonly isApi?: boolean;
  /** Whether monitoring calls this path, under whatever host it knows the service by (`judgeProbe`). */
  readonly isProbe?: boolean;
  /** How refusals are written here; default problem details. */
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
