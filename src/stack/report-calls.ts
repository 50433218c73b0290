import type { CallLog, ReportedCall } from '../console/calls/call-log.ts';
import { isConsolePath } from '../console/console.ts';
import { ERROR_CODES } from '../errors/codes.ts';
import { createCallMetrics } from '../metrics/call-metrics.ts';
import type { NodePrefix, Registry } from '../metrics/registry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { CallListener } from '../rpc/dispatcher.ts';
import { HttpExchange, requestToken } from '../rpc/http/http-exchange.ts';
import type { ServedCall, OnCall } from '../service/request-context.ts';
import { pathOf } from '../service/request-head.ts';

/** Creates a listener that reports calls of the tool service. */
export function reportServiceCalls(add: (call: ReportedCall) => void, clock: Clock): OnCall {
  return ({ durationMs, ...call }: ServedCall) =>
    // The spread comes last, because V8 needs microseconds for every member after it.
    add({ atMs: clock.now(), ms: durationMs, isOwn: false, ...call });
}

/** Creates a listener that logs calls of the tool service without their arguments. */
export function logServiceCalls(logger: Logger): OnCall {
  return ({ door, call, status, code, durationMs, requestBytes, responseBytes, requestId, traceId }) => {
    const ms = Math.round(durationMs * 1_000) / 1_000;
    logger.info({ door, call, status, code, ms, requestBytes, responseBytes, requestId, traceId }, 'call');
  };
}

/** MCP methods that have their own series. */
const MCP_METHODS = ['initialize', 'ping', 'server/discover', 'tools/list'];

/** Creates a listener that measures calls of the tool service. */
export function measureServiceCalls(registry: Registry, tools: readonly string[]): OnCall {
  const record = createCallMetrics(registry, 'service', [...tools, ...MCP_METHODS]);
  return (call) => record(call.call, outcomeOf(call), call.durationMs);
}

/** Classifies a call: failed if the status or code is a server error. Failed MCP tools have status 200. */
function outcomeOf({ status, code }: ServedCall): 'ok' | 'refused' | 'failed' {
  if (code === null) return 'ok';
  const ofCode = (ERROR_CODES as Partial<Record<string, { readonly http: number }>>)[code]?.http ?? status;
  return Math.max(status, ofCode) >= 500 || code === 'INTERNAL_ERROR' ? 'failed' : 'refused';
}

/** Creates a listener that reports HTTP calls of a node. */
export function reportNodeCalls(calls: CallLog, node: NodePrefix, clock: Clock): CallListener {
  const door = node === 'ledger' ? 'base' : 'rollup';
  return ({ method, params, code, durationMs, body, answer, client }) => {
    if (!(client instanceof HttpExchange)) return;
    const what = {
      door,
      call: method ?? 'unknown',
      code: code === null ? null : String(code),
      arguments: params,
    } as const;
    // Most calls are not listed.
    if (!calls.mayList(what)) return;
    const { request } = client;
    calls.add({
      ...what,
      atMs: clock.now(),
      status: 200,
      ms: durationMs,
      requestBytes: body === null ? null : Buffer.byteLength(body),
      // The length of a long answer, which is mostly ASCII, is in characters.
      responseBytes: typeof answer === 'string' ? Buffer.byteLength(answer) : answer.length,
      requestId: null,
      isOwn: isConsolePath(pathOf(request.url ?? '')),
      hasToken: requestToken(request) !== null,
    });
  };
}
