import { writeHeader, writeSample, type Labels, type MetricType } from './text-format.ts';

/** One series of a metric: its labels and its value now. */
export type Sample = readonly [Labels, number];

/** A metric that keeps nothing itself: its values are read when somebody asks for them. */
export interface ReadMetric {
  /** Unique in its registry: lower case, base unit last, `_total` for counters (Prometheus naming practices). */
  readonly name: string;
  /** One line of plain words. */
  readonly help: string;
  readonly type: Exclude<MetricType, 'histogram'>;
  /** A value, or the series there are. */
  readonly read: () => number | Iterable<Sample>;
}

/** All figures of the process, written as Prometheus' text format 0.0.4 in the order in which they were added. */
export class Registry {
  readonly #writers = new Map<string, () => string>();

  /** @throws Error when the name is taken. */
  add({ name, help, type, read }: ReadMetric): void {
    this.addText(name, () => {
      const value = read();
      const samples: Iterable<Sample> = typeof value === 'number' ? [[{}, value]] : value;
      let text = writeHeader(name, type, help);
      for (const [labels, sample] of samples) text += writeSample(name, labels, sample);
      return text;
    });
  }

  /**
   * Adds a metric that writes its own lines, header included.
   *
   * @throws Error when the name is taken.
   */
  addText(name: string, write: () => string): void {
    if (this.#writers.has(name)) throw new Error(`two metrics are called ${name}`);
    this.#writers.set(name, write);
  }

  write(): string {
    return [...this.#writers.values()].map((write) => write()).join('');
  }
}
