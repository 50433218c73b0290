import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A span as an exporter would see it. */
export interface RecordedSpan {
  name: string;
  readonly kind: number | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
  statusCode: number;
}

/** A measured value of a histogram. */
export interface RecordedValue {
  readonly metric: string;
  readonly unit: string | undefined;
  readonly value: number;
  readonly attributes: Attributes;
}

/** The records of a small SDK. `stop` unregisters the SDK. */
export interface RecordedTelemetry {
  /** Ended spans, in the order in which they ended. */
  readonly spans: RecordedSpan[];
  readonly values: RecordedValue[];
  stop(): void;
}

/** Registers an SDK that keeps everything in memory, and follows the callers' `traceparent`. */
export function recordTelemetry(): RecordedTelemetry {
  const spans: RecordedSpan[] = [];
  const values: RecordedValue[] = [];
  const active = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (given, run, self, ...args) => active.run(given, () => run.call(self as never, ...args)),
    bind: (_given, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
  propagation.setGlobalPropagator({
    inject() {},
    fields: () => ['traceparent'],
    extract(given, carrier, getter) {
      const [, traceId, spanId] = String(getter.get(carrier, 'traceparent')).split('-');
      if (traceId === undefined || spanId === undefined) return given;
      return trace.setSpanContext(given, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
  });
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, options, parent = context.active()) => startSpan({ name, options, parent, spans }),
      startActiveSpan: (...args: unknown[]) => {
        const [name, run] = [args[0] as string, args.at(-1) as (span: Span) => never];
        const parent = context.active();
        const span = startSpan({ name, options: undefined, parent, spans });
        return context.with(trace.setSpan(parent, span), () => run(span));
      },
    }),
  });
  metrics.setGlobalMeterProvider({
    getMeter: () =>
      ({
        createHistogram: (metric: string, { unit }: { unit?: string } = {}): Histogram => ({
          record: (value, attributes = {}) => values.push({ metric, unit, value, attributes }),
        }),
      }) as never,
  });
  return {
    spans,
    values,
    stop() {
      for (const api of [context, propagation, trace, metrics]) api.disable();
    },
  };
}

let spanCount = 0;

interface StartedSpan {
  readonly name: string;
  readonly options: SpanOptions | undefined;
  readonly parent: Context;
  readonly spans: RecordedSpan[];
}

function startSpan({ name, options, parent, spans }: StartedSpan): Span {
  spanCount += 1;
  const above = trace.getSpanContext(parent);
  const own: SpanContext = {
    traceId: above?.traceId ?? String(spanCount).padStart(32, '0'),
    spanId: String(spanCount).padStart(16, '0'),
    traceFlags: 1,
  };
  const recorded: RecordedSpan = {
    name,
    kind: options?.kind,
    traceId: own.traceId,
    spanId: own.spanId,
    parentId: above?.spanId,
    attributes: { ...options?.attributes },
    statusCode: 0,
  };
  const span: Partial<Span> = {
    spanContext: () => own,
    isRecording: () => true,
    setAttributes(attributes) {
      Object.assign(recorded.attributes, attributes);
      return span as Span;
    },
    setStatus({ code }) {
      recorded.statusCode = code;
      return span as Span;
    },
    updateName(given) {
      recorded.name = given;
      return span as Span;
    },
    end: () => spans.push(recorded),
  };
  return span as Span;
}
