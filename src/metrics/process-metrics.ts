import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry, Sample } from './registry.ts';

/** How often the delay of the event loop is measured, ms. */
const RESOLUTION_MS = 20;

const QUANTILES = [0.5, 0.99, 1] as const;

/**
 * Adds what the process uses, under the names that Prometheus' client libraries have for it, and how late its
 * event loop runs. Returns what ends the measuring.
 */
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

/**
 * What is measured is the time from one tick of the measuring timer to the next, a punctual one's included.
 */
function latenessOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3);
}
