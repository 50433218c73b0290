import { createReadRoute, type ApiRoute } from '../api-route.ts';
import type { CallLog } from './call-log.ts';

/** `GET /console/api/requests?after=&limit=`: the calls after a number. What is no number is left out. */
export function createRequestsRoute(log: CallLog): ApiRoute {
  return createReadRoute('/console/api/requests', (query) => {
    const limit = numberIn(query, 'limit');
    return log.after(numberIn(query, 'after') ?? 0, limit === undefined ? undefined : Math.max(1, limit));
  });
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
