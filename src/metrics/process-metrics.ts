import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry, Sample } from './registry.ts';

/** Resolution of the event loop delay, in ms. */
const RESOLUTION_MS = 20;

const QUANTILES = [0.5, 0.99, 1] as const;

/** Adds CPU, memory (under Prometheus' names) and event loop delay. Returns a function that ends them. */
export function addProcessMetrics(registry: Registry): () => void {
  registry.counter('process_cpu_seconds_total', 'User and system CPU time, seconds.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  registry.gauge('process_resident_memory_bytes', 'Resident memory, bytes.', () => process.memoryUsage.rss());
  registry.gauge(
    'nodejs_heap_size_used_bytes',
    'Memory of JavaScript objects, bytes.',
    () => process.memoryUsage().heapUsed,
  );
  registry.gauge('process_uptime_seconds', 'Time since the process started, seconds.', () =>
    process.uptime(),
  );
  return addEventLoopDelay(registry);
}

function addEventLoopDelay(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  registry.gauge(
    'nodejs_eventloop_delay_seconds',
    'Event loop delay since the last scrape, by quantile; 1 is the longest delay.',
    () => {
      const samples = QUANTILES.map((quantile): Sample => {
        const nanoseconds = delays.count === 0 ? 0 : delays.percentile(quantile * 100);
        return [{ quantile: String(quantile) }, latenessOf(nanoseconds)];
      });
      delays.reset();
      return samples;
    },
  );
  return () => delays.disable();
}

/** Subtracts the interval of the measuring timer from a delay. */
function latenessOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
}

interface ListenerCounts {
  readonly inFlight: number;
  readonly upgraded: number;
  readonly dropped: number;
  /** Responses by the first digit of the status; index 0 counts requests without a response. */
  readonly answers: readonly number[];
}

/** One listener and its metrics. */
export interface ListenerFigures {
  /** The label of the listener: `ledger`, `rollup`, `service`, `ledger websocket` or `rollup websocket`. */
  readonly name: string;
  readonly counts: () => ListenerCounts;
  /** Requests rejected because too many were in progress; omitted without such a limit. */
  readonly refusedCount?: () => number;
}

/** The value of the `status` label by the first digit of the status. */
const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Adds the metrics of the HTTP listeners. */
export function addHttpMetrics(registry: Registry, listeners: readonly ListenerFigures[]): void {
  const perListener = (read: (counts: ListenerCounts) => number) => (): Sample[] =>
    listeners.map(({ name, counts }) => [{ face: name }, read(counts())]);
  registry.gauge(
    'http_requests_in_flight',
    'Requests in progress.',
    perListener(({ inFlight }) => inFlight),
  );
  registry.gauge(
    'http_connections_upgraded',
    'Open WebSocket connections.',
    perListener(({ upgraded }) => upgraded),
  );
  registry.counter(
    'http_connections_dropped_total',
    'Connections closed without reading a request because there were too many.',
    perListener(({ dropped }) => dropped),
  );
  registry.counter(
    'http_responses_total',
    'Completed requests by status class; "none" if the client left before the response.',
    () => listeners.flatMap(answerSamples),
  );
  registry.counter(
    'http_requests_refused_total',
    'Requests rejected because too many were in progress.',
    () =>
      listeners.flatMap(({ name, refusedCount }): Sample[] =>
        refusedCount === undefined ? [] : [[{ face: name }, refusedCount()]],
      ),
  );
}

function answerSamples({ name, counts }: ListenerFigures): Sample[] {
  const { answers } = counts();
  return STATUS_CLASSES.map((status, at) => [{ face: name, status }, answers[at] ?? 0]);
}
