import type { Registry } from './registry.ts';

/** How the workers of the tool service stand. */
interface WorkerFigures {
  readonly servingCount: number;
  readonly restarts: number;
}

/** Adds how many workers there are. */
export function addWorkerMetrics(registry: Registry, workers: WorkerFigures): void {
  registry.gauge(
    'service_workers',
    'Serving worker processes of the tool service.',
    () => workers.servingCount,
  );
  registry.counter('service_worker_restarts_total', 'Restarted workers.', () => workers.restarts);
}
