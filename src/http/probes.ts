import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureFields } from '../errors/failure-fields.ts';
import type { Logger } from '../ports/logger.ts';
import { type HostVerdict, relaxForMetrics, relaxForProbe } from './host-guard.ts';
import type { RequestHandler } from './server.ts';

/** The reason why the listener is not ready; undefined if it is ready. */
export type Unreadiness = string | undefined;

/** Options of {@link withProbes}. */
export interface ProbesOptions {
  /** The host guard. `relaxForProbe` and `relaxForMetrics` relax its verdict. */
  readonly guard: (request: IncomingMessage) => HostVerdict;
  readonly unreadiness: () => Unreadiness | Promise<Unreadiness>;
  /** Writes the metrics in Prometheus' text format, version 0.0.4. Optional. */
  readonly writeMetrics?: () => string | Promise<string>;
  /** The logger for the reasons why probes fail. */
  readonly logger: Logger;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Serves `GET` and `HEAD` of `/ready` (200 `ready`, or 503 and the reason) and `/metrics`, and passes all
 * other requests to `handler`. Responds with 503 if the readiness check throws and with 500 if the metrics
 * do. Logs both errors.
 */
export function withProbes(handler: RequestHandler, options: ProbesOptions): RequestHandler {
  const { guard, writeMetrics, logger } = options;
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return handler(request, response);
    const path = request.url?.split('?', 1)[0];
    const isMetrics = path === '/metrics' && writeMetrics !== undefined;
    if (path !== '/ready' && !isMetrics) return handler(request, response);
    request.resume();
    const judge = isMetrics ? relaxForMetrics : relaxForProbe;
    if (judge(request, guard(request)) !== 'ok') return send(response, 403, TEXT_TYPE, 'forbidden\n');
    void (isMetrics ? sendMetrics(response, writeMetrics, logger) : sendReadiness(response, options));
  };
}

async function sendMetrics(
  response: ServerResponse,
  write: () => string | Promise<string>,
  logger: Logger,
): Promise<void> {
  try {
    send(response, 200, METRICS_TYPE, await write());
  } catch (error) {
    logger.error(failureFields(error), 'the metrics could not be written');
    send(response, 500, TEXT_TYPE, 'the metrics could not be written; the log says why\n');
  }
}

async function sendReadiness(
  response: ServerResponse,
  { unreadiness, logger }: ProbesOptions,
): Promise<void> {
  let reason: Unreadiness;
  try {
    reason = await unreadiness();
  } catch (error) {
    logger.error(failureFields(error), 'the readiness check failed');
    reason = 'the readiness check failed';
  }
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
