import type { RefusalWriter } from './refusal.ts';
import type { RequestContext } from './request-context.ts';

/** Answers one request, now or later, by `context.answer`. */
export type RouteHandler = (context: RequestContext) => void | Promise<void>;

/** What the service offers at one path. */
export interface Route {
  /** The exact path. */
  readonly path: string;
  /** Another spelling of it. */
  readonly alias?: string;
  /** By HTTP method. A GET handler serves HEAD too: node:http leaves the body out. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST', RouteHandler>>>;
  /**
   * Whether programs and pages call this path to get something done: it is open to pages of allowed origins
   * (CORS), and its calls are counted by the rate limit.
   */
  readonly isApi?: boolean;
  /** Whether those who watch the service ask here, by whatever host they know it (`judgeProbe`). */
  readonly isProbe?: boolean;
  /** How refusals are worded here; problem details by default. */
  readonly writeRefusal?: RefusalWriter;
}

/** A route made ready for look-ups by method. */
export interface RouteEntry {
  readonly handlers: ReadonlyMap<string, RouteHandler>;
  /** Value of the `Allow` header. */
  readonly allow: string;
  readonly isApi: boolean;
  readonly isProbe: boolean;
  readonly writeRefusal: RefusalWriter | undefined;
}

type RouteTable = ReadonlyMap<string, RouteEntry>;

/**
 * Makes routes ready for look-ups by path and method.
 *
 * @throws Error when two routes claim the same path.
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
