import {
  type Attributes,
  type Context,
  context,
  createNoopMeter,
  type Histogram,
  metrics,
  propagation,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isJsonObject } from './input/json-object.ts';
import { type Message, readMessage, writeId } from './mcp/json-rpc.ts';
import { META, SUPPORTED_VERSIONS } from './mcp/protocol.ts';
import type { ServedCall } from './request-context.ts';
import { SERVER_INFO } from './server-info.ts';

type RequestMessage = Extract<Message, { kind: 'request' }>;

type Outcome = Pick<ServedCall, 'call' | 'status' | 'code'>;

/** The conventions of one protocol for a call. */
interface CallForm {
  /** Name of the span until the outcome is known. */
  readonly name: string;
  readonly attributes: Attributes;
  /** Attributes of the span only: in the metric, they would create too many series. */
  readonly details: Attributes;
  /** The headers or the `_meta` that contain the caller's `traceparent` and `tracestate`, if it sent them. */
  readonly carrier: object;
  readonly durations: Histogram;
  /** Returns the attributes of an outcome, and the final name of the span if it differs. */
  describe(outcome: Outcome): { readonly name?: string; readonly attributes: Attributes };
}

/** The span and the duration of one served call. They contain no arguments, addresses, amounts or tokens. */
export class CallTrace {
  readonly #startedMs = performance.now();
  readonly #form: CallForm;
  readonly #span: Span;
  readonly #context: Context;

  constructor(form: CallForm) {
    const { name, attributes, details, carrier } = form;
    this.#form = form;
    const parent = propagation.extract(context.active(), carrier);
    const options = { kind: SpanKind.SERVER, attributes: { ...attributes, ...details } };
    this.#span = trace.getTracer(SERVER_INFO.name, SERVER_INFO.version).startSpan(name, options, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  /** The id of the trace: 32 hexadecimal digits. */
  get id(): string {
    return this.#span.spanContext().traceId;
  }

  /** Runs a step of the call. Spans that it starts are children of the call's span. */
  run<T>(step: () => T): T {
    return context.with(this.#context, step);
  }

  /** Ends the span and records the duration. Call it once. */
  end(outcome: Outcome): void {
    const { attributes, durations, describe } = this.#form;
    const { name, attributes: more } = describe(outcome);
    if (name !== undefined) this.#span.updateName(name);
    if (more['error.type'] !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.setAttributes(more).end();
    const seconds = (performance.now() - this.#startedMs) / 1_000;
    durations.record(seconds, { ...attributes, ...more }, this.#context);
  }
}

/**
 * Starts the trace of a REST call by the semantic conventions for HTTP servers; undefined if no OpenTelemetry
 * SDK is registered.
 *
 * @param route the path of the operation.
 */
export function traceRestCall(
  { method = '', headers, httpVersion }: IncomingMessage,
  route: string,
): CallTrace | undefined {
  if (!isObserved()) return undefined;
  return new CallTrace({
    name: `${method} ${route}`,
    details: { 'url.path': route },
    attributes: {
      'http.request.method': method,
      'http.route': route,
      // A proxy in front of the service may use TLS. The service itself does not.
      'url.scheme': 'http',
      'network.protocol.version': httpVersion,
    },
    carrier: headers,
    durations: instruments().rest,
    describe: ({ status, code }) => ({
      attributes: {
        'http.response.status_code': status,
        ...(status >= 500 && { 'error.type': code ?? String(status) }),
      },
    }),
  });
}

/**
 * Starts the trace of an MCP message by the semantic conventions for MCP servers; undefined if no SDK is
 * registered. The context of `params._meta` takes precedence over the context of the headers.
 *
 * @param body the parsed body of the request.
 */
export function traceMcpCall(headers: IncomingHttpHeaders, body: unknown): CallTrace | undefined {
  if (!isObserved()) return undefined;
  const message = readMessage(body);
  const { method, params, id = null }: Partial<RequestMessage> = message?.kind === 'request' ? message : {};
  const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {};
  const version = String(meta[META.protocolVersion] ?? headers['mcp-protocol-version']);
  return new CallTrace({
    name: 'mcp',
    details:
      id === null ? {} : { 'jsonrpc.request.id': (typeof id === 'string' ? id : writeId(id)).slice(0, 64) },
    attributes: {
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      ...(SUPPORTED_VERSIONS.includes(version) && { 'mcp.protocol.version': version }),
    },
    carrier: typeof meta['traceparent'] === 'string' ? meta : headers,
    durations: instruments().mcp,
    describe: (outcome) => describeMcpOutcome(outcome, method),
  });
}

/**
 * Describes the outcome of an MCP message, whose span is named after its method and tool.
 *
 * @param asked the method in the message. An unknown method is not recorded, because it can be any text.
 */
function describeMcpOutcome(
  { call, status, code }: Outcome,
  asked: string | undefined,
): ReturnType<CallForm['describe']> {
  const tool = call === asked || call === 'unknown' ? undefined : call;
  const method = tool === undefined ? call : 'tools/call';
  const isRpcError = code !== null && /^-\d+$/.test(code);
  return {
    name: tool === undefined ? method : `${method} ${tool}`,
    attributes: {
      'mcp.method.name': method,
      ...(tool !== undefined && { 'gen_ai.tool.name': tool, 'gen_ai.operation.name': 'execute_tool' }),
      ...(isRpcError && { 'rpc.response.status_code': code }),
      ...(code !== null && { 'error.type': isRpcError || status !== 200 ? code : 'tool_error' }),
    },
  };
}

const NO_TRACERS = new ProxyTracerProvider().getDelegate();

/** Whether an SDK is registered. Without one, a call costs only this check. */
function isObserved(): boolean {
  const tracers = trace.getTracerProvider();
  const hasTracers = !(tracers instanceof ProxyTracerProvider) || tracers.getDelegate() !== NO_TRACERS;
  return hasTracers || metrics.getMeter(SERVER_INFO.name) !== createNoopMeter();
}

/** Upper bounds of the buckets that the conventions recommend, in seconds. */
const BOUNDS = {
  rest: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  mcp: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
};

let created: { readonly provider: unknown; readonly rest: Histogram; readonly mcp: Histogram } | undefined;

/** Returns the histograms, which are created once. */
function instruments(): { readonly rest: Histogram; readonly mcp: Histogram } {
  const provider = metrics.getMeterProvider();
  if (created?.provider === provider) return created;
  const meter = metrics.getMeter(SERVER_INFO.name, SERVER_INFO.version);
  const histogram = (name: string, description: string, bounds: number[]): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: bounds },
    });
  created = {
    provider,
    rest: histogram('http.server.request.duration', 'Duration of HTTP server requests.', BOUNDS.rest),
    mcp: histogram(
      'mcp.server.operation.duration',
      'Duration of MCP requests and notifications.',
      BOUNDS.mcp,
    ),
  };
  return created;
}
