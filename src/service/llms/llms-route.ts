import { originFor } from '../public-origin.ts';
import type { Route } from '../route-table.ts';
import { writeLlmsText, type Offered } from './llms-text.ts';

/** Like the OpenAPI document: public, readable cross-origin, and new after each start with other settings. */
const HEADERS = [
  'access-control-allow-origin',
  '*',
  'cache-control',
  'no-cache',
  'x-content-type-options',
  'nosniff',
] as const;

/** How to create `/llms.txt`. */
interface LlmsRouteOptions extends Offered {
  /** The origin of the links; defaults to the one each caller used. */
  readonly publicOrigin: string | undefined;
}

/** `GET /llms.txt`: what the service offers, as Markdown. Plain text, so that browsers show it. */
export function createLlmsRoute({ publicOrigin, ...offered }: LlmsRouteOptions): Route {
  const contentType = 'text/plain; charset=utf-8';
  return {
    path: '/llms.txt',
    methods: {
      GET: (context) =>
        context.answer({
          status: 200,
          body: writeLlmsText(originFor(context.request, publicOrigin), offered),
          contentType,
          headers: HEADERS,
        }),
    },
  };
}
