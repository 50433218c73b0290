import type { Registry } from './registry.ts';

/** How the workers of the tool service stand. */
interface WorkerFigures {
  readonly servingCount: number;
  readonly restarts: number;
}

/** Adds how many workers there are. */
export function addWorkerMetrics(registry: Registry, workers: WorkerFigures): void {
  registry.add({
    name: 'service_workers',
    help: 'Serving worker processes of the tool service.',
    type: 'gauge',
    read: () => workers.servingCount,
  });
  registry.add({
    name: 'service_worker_restarts_total',
    help: 'Restarted workers.',
    type: 'counter',
    read: () => workers.restarts,
  });
}
