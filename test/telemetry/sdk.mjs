/** A small SDK, loaded with --import: it writes each span and each duration to stderr, as a line of JSON. */
import { metrics, propagation, trace } from '@opentelemetry/api';
import { writeSync } from 'node:fs';

const write = (line) => writeSync(2, `${JSON.stringify(line)}\n`);

propagation.setGlobalPropagator({
  inject() {},
  fields: () => ['traceparent'],
  extract(context, { traceparent = '' }) {
    const [, traceId, spanId] = traceparent.split('-');
    return traceId ? trace.setSpanContext(context, { traceId, spanId, traceFlags: 1 }) : context;
  },
});

function startSpan(name, _options, parent) {
  const { traceId = '0'.repeat(31) + '1', spanId: parentId } = trace.getSpanContext(parent) ?? {};
  let span = name;
  return {
    spanContext: () => ({ traceId, spanId: '0000000000000001', traceFlags: 1 }),
    updateName: (given) => (span = given),
    setStatus() {},
    setAttributes() {
      return this;
    },
    end: () => write({ span, traceId, parentId }),
  };
}

trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
metrics.setGlobalMeterProvider({
  getMeter: () => ({ createHistogram: (metric) => ({ record: () => write({ metric }) }) }),
});
