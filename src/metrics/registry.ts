import { writeHeader, writeSample, type Labels, type MetricType } from './text-format.ts';

/** One series of a metric: its labels and its value now. */
export type Sample = readonly [Labels, number];

/** A metric that keeps nothing itself: its values are read when somebody asks for them. */
interface ReadMetric {
  /**
   * Unique in its registry: lower case, base unit last, `_total` for counters (Prometheus naming practices).
   */
  readonly name: string;
  /** One line of plain words. */
  readonly help: string;
  readonly type: Exclude<MetricType, 'histogram'>;
  /** A value, or the series there are. */
  readonly read: () => number | Iterable<Sample>;
}

/** One metric as text: its header, and its samples as they are now. */
export interface MetricText {
  readonly name: string;
  readonly header: string;
  readonly samples: string;
}

/**
 * All figures of the process, as Prometheus' text format 0.0.4 has them, in the order in which they were
 * added.
 */
export class Registry {
  readonly #labels: Labels;
  readonly #metrics = new Map<string, { readonly header: string; readonly write: () => string }>();

  /** `labels` are put on every sample that does not write itself. */
  constructor(labels: Labels = {}) {
    this.#labels = labels;
  }

  /** @throws Error when the name is taken. */
  add({ name, help, type, read }: ReadMetric): void {
    this.addText(name, writeHeader(name, type, help), () => {
      const value = read();
      const samples: Iterable<Sample> = typeof value === 'number' ? [[{}, value]] : value;
      let text = '';
      for (const [labels, sample] of samples)
        text += writeSample(name, { ...labels, ...this.#labels }, sample);
      return text;
    });
  }

  /**
   * Adds a metric that writes its own samples.
   *
   * @throws Error when the name is taken.
   */
  addText(name: string, header: string, write: () => string): void {
    if (this.#metrics.has(name)) throw new Error(`two metrics are called ${name}`);
    this.#metrics.set(name, { header, write });
  }

  /** The figures of now. */
  read(): readonly MetricText[] {
    return [...this.#metrics].map(([name, { header, write }]) => ({ name, header, samples: write() }));
  }

  write(): string {
    return writeMetrics([this.read()]);
  }
}

/**
 * The figures of several processes as one text: the format wants the samples of a metric together below one
 * header. The processes must be told apart by labels.
 */
export function writeMetrics(processes: readonly (readonly MetricText[])[]): string {
  const texts = new Map<string, string>();
  for (const { name, header, samples } of processes.flat()) {
    texts.set(name, (texts.get(name) ?? header) + samples);
  }
  return [...texts.values()].join('');
}
