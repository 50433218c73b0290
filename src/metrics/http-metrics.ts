import type { Registry, Sample } from './registry.ts';

/** What a listener counts. */
interface ListenerCounts {
  readonly inFlight: number;
  readonly upgraded: number;
  readonly dropped: number;
  /** By the first digit of the status; at 0 those without an answer. */
  readonly answers: readonly number[];
}

/** One listener, as its figures are labelled and read. */
export interface ListenerFigures {
  /** What it serves: `ledger`, `rollup` or `service`, or `ledger websocket`, `rollup websocket`. */
  readonly name: string;
  readonly counts: () => ListenerCounts;
  /** Requests turned away so far because too many were worked on; left out where it does not count them. */
  readonly refusedCount?: () => number;
}

/** The value of the `status` label by the first digit of the status. */
const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Adds what goes on at the listeners. */
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
    'Completed requests by status class; none: the client left before its answer.',
    () => listeners.flatMap(answerSamples),
  );
  registry.counter('http_requests_refused_total', 'Requests refused because too many were in progress.', () =>
    listeners.flatMap(({ name, refusedCount }): Sample[] =>
      refusedCount === undefined ? [] : [[{ face: name }, refusedCount()]],
    ),
  );
}

function answerSamples({ name, counts }: ListenerFigures): Sample[] {
  const { answers } = counts();
  return STATUS_CLASSES.map((status, at) => [{ face: name, status }, answers[at] ?? 0]);
}
