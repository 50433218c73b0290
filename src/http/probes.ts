import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';
import { judgeMetrics, judgeProbe, type HostVerdict } from './host-guard.ts';
import type { RequestHandler } from './server.ts';

/** Why requests should go elsewhere for now, as a short text; undefined when it is ready. */
export type Unreadiness = string | undefined;

/** What answers the probes of an operator. */
export interface ProbesOptions {
  /**
   * Who may ask; none of it is for foreign pages, and `judgeProbe` and `judgeMetrics` say which hosts may.
   */
  readonly guard: (request: IncomingMessage) => HostVerdict;
  readonly unreadiness: () => Unreadiness | Promise<Unreadiness>;
  /** Figures in Prometheus' text format, version 0.0.4; left out where there are none to be had. */
  readonly writeMetrics?: () => string | Promise<string>;
  /** Logs why a probe failed. */
  readonly logger: Logger;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Answers `GET /ready` (200 `ready`, or 503 and the reason) and, if offered, `GET /metrics`, also as HEAD;
 * `handler` gets everything else. A probe that fails is answered with 503 or 500 and logged.
 */
export function withProbes(handler: RequestHandler, options: ProbesOptions): RequestHandler {
  const { guard, unreadiness, writeMetrics, logger } = options;
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return handler(request, response);
    const path = request.url?.split('?', 1)[0];
    const isMetrics = path === '/metrics' && writeMetrics !== undefined;
    if (path !== '/ready' && !isMetrics) return handler(request, response);
    request.resume();
    const judge = isMetrics ? judgeMetrics : judgeProbe;
    if (judge(request, guard(request)) !== 'ok') return send(response, 403, TEXT_TYPE, 'forbidden\n');
    if (isMetrics) {
      return whenKnown(writeMetrics, {
        known: (text) => send(response, 200, METRICS_TYPE, text),
        failed(error) {
          logger.error(failureFields(error), 'the figures could not be written');
          send(response, 500, TEXT_TYPE, 'the figures cannot be told; the log says why\n');
        },
      });
    }
    return whenKnown(unreadiness, {
      known: (reason) => sendReadiness(response, reason),
      failed(error) {
        logger.error(failureFields(error), 'it could not be told whether requests may come');
        sendReadiness(response, 'whether it is ready cannot be told');
      },
    });
  };
}

/** What is done with something that is known at once or later, or with why it cannot be known. */
interface Outcome<T> {
  known(value: T): void;
  failed(error: unknown): void;
}

function whenKnown<T>(ask: () => T | Promise<T>, { known, failed }: Outcome<T>): void {
  let value: T | Promise<T>;
  try {
    value = ask();
  } catch (error) {
    return failed(error);
  }
  if (value instanceof Promise) void value.then(known, failed);
  else known(value);
}

function sendReadiness(response: ServerResponse, reason: Unreadiness): void {
  if (reason === undefined) send(response, 200, TEXT_TYPE, 'ready\n');
  else send(response, 503, TEXT_TYPE, `not ready: ${reason}\n`);
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}
