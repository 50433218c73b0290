import type { Route } from './route-table.ts';

/**
 * `GET /health`: `ok` as plain text as long as the process serves requests. The ledger node answers the same.
 */
export const HEALTH_ROUTE: Route = {
  path: '/health',
  isProbe: true,
  methods: {
    GET: (context) =>
      context.answer({
        status: 200,
        body: 'ok',
        contentType: 'text/plain; charset=utf-8',
        headers: ['cache-control', 'no-store'],
      }),
  },
};
