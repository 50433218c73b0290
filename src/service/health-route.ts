import type { Route } from './front.ts';
import { jsonReply, type Reply } from './reply.ts';
import { qualityOf } from './request-head.ts';

const NO_STORE = { headers: ['cache-control', 'no-store'] };
const PLAIN: Reply = { status: 200, body: 'ok', contentType: 'text/plain; charset=utf-8', ...NO_STORE };
const JSON_REPLY: Reply = { ...jsonReply('{"status":"ok"}'), ...NO_STORE };

/** `GET /health`: `ok` as plain text, or `{"status":"ok"}` for clients that accept JSON. */
export const HEALTH_ROUTE: Route = {
  path: '/health',
  isProbe: true,
  methods: {
    GET: (context) =>
      context.answer((qualityOf(context.headers.accept, 'application/json') ?? 0) > 0 ? JSON_REPLY : PLAIN),
  },
};
