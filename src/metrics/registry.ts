import { type Metric, Registry as PrometheusRegistry } from 'prom-client';

/** The start of the metric names of a node. */
export type NodePrefix = 'ledger' | 'rollup';

/** Label names and their values. Names are constants of this program. */
type Labels = Readonly<Record<string, string>>;

/** The labels of a series, its current value, and its name if it differs from the metric's (`x_bucket`). */
export type Sample = readonly [labels: Labels, value: number, name?: string];

type Samples = number | Iterable<Sample>;
type Read = () => Samples | Promise<Samples>;

/** The metrics of the process, in the order in which they were added. Values are read at each scrape. */
export class Registry {
  readonly #registry = new PrometheusRegistry();

  /** Adds `labels` to every sample. */
  constructor(labels: Labels = {}) {
    this.#registry.setDefaultLabels(labels);
  }

  /**
   * Adds a gauge.
   *
   * @param name unique, lower case, ending with the base unit, and `_total` for counters (Prometheus naming
   *   practices).
   * @param help one line.
   * @param read returns the current value, or the samples of all series. If it throws, the scrape fails.
   * @throws Error if the name is taken.
   */
  gauge(name: string, help: string, read: Read): void {
    this.#add('gauge', name, help, read);
  }

  /** Adds a counter, like {@link gauge}. */
  counter(name: string, help: string, read: Read): void {
    this.#add('counter', name, help, read);
  }

  /** Adds a histogram, like {@link gauge}. Its samples name their series: `_bucket`, `_sum` or `_count`. */
  histogram(name: string, help: string, read: Read): void {
    this.#add('histogram', name, help, read);
  }

  #add(type: string, name: string, help: string, read: Read): void {
    const get = async (): Promise<object> => {
      const current = await read();
      const samples: Iterable<Sample> = typeof current === 'number' ? [[{}, current]] : current;
      const values = Array.from(samples, ([labels, value, metricName]) => ({ labels, value, metricName }));
      return { name, help, type, values };
    };
    // The registry needs only `name` and `get`. The metrics of prom-client store values by label, which this
    // project's sources already do.
    this.#registry.registerMetric({ name, get } as unknown as Metric);
  }

  /** Writes all metrics in Prometheus' text format 0.0.4. */
  write(): Promise<string> {
    return this.#registry.metrics();
  }
}
