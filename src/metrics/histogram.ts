import { writeNumber, writeSample, type Labels } from './text-format.ts';

/**
 * Upper bounds of the buckets of durations, seconds: from a read out of memory to a call that waits for an
 * upstream.
 */
const DURATION_BOUNDS: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
];

/** How often values fell between bounds, and their sum. Observing allocates nothing. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** The last one is for what is beyond all bounds. */
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

  /** The samples of one series: buckets that add up, sum and count. */
  write(name: string, labels: Labels): string {
    let text = '';
    let total = 0;
    for (const [at, count] of this.#counts.entries()) {
      total += count;
      const le = writeNumber(this.#bounds[at] ?? Infinity);
      text += writeSample(`${name}_bucket`, { ...labels, le }, total);
    }
    return text + writeSample(`${name}_sum`, labels, this.#sum) + writeSample(`${name}_count`, labels, total);
  }
}
