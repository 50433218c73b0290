import type { Sample } from './registry.ts';

/** Upper bounds of duration buckets, in seconds. They range from a memory read to a slow upstream call. */
const DURATION_BOUNDS: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
];

/**
 * A Prometheus histogram for calls that take microseconds. Observing a value allocates nothing and takes less
 * than a tenth of the time of prom-client's histogram, which would add 4 % to the fastest RPC calls.
 */
export class DurationHistogram {
  readonly #bounds: readonly number[];
  /** Counts by bucket. The last bucket counts values above all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[] = DURATION_BOUNDS) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += value;
  }

  /** Returns the samples of one series: cumulative buckets, sum and count. */
  samples(name: string, labels: Readonly<Record<string, string>>): Sample[] {
    let total = 0;
    const buckets = this.#counts.map((count, at): Sample => {
      total += count;
      return [{ ...labels, le: String(this.#bounds[at] ?? '+Inf') }, total, `${name}_bucket`];
    });
    return [...buckets, [labels, this.#sum, `${name}_sum`], [labels, total, `${name}_count`]];
  }
}
