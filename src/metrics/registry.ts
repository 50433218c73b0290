/** The start of the metric names of a node. */
export type NodePrefix = 'ledger' | 'rollup';

/** Label names and their values. Names are constants of this program. */
type Labels = Readonly<Record<string, string>>;

/** The labels of a series and its current value. */
export type Sample = readonly [Labels, number];

type Read = () => number | Iterable<Sample>;

/** The metrics of the process in Prometheus' text format 0.0.4, in the order in which they were added. */
export class Registry {
  readonly #labels: Labels;
  readonly #metrics = new Map<string, { readonly header: string; readonly write: () => string }>();

  /** Adds `labels` to every sample, except those of `addText`. */
  constructor(labels: Labels = {}) {
    this.#labels = labels;
  }

  /**
   * Adds a gauge.
   *
   * @param name unique, lower case, ending with the base unit, and `_total` for counters (Prometheus naming
   *   practices).
   * @param help one line.
   * @throws Error if the name is taken.
   */
  gauge(name: string, help: string, read: Read): void {
    this.#add(name, writeHeader(name, 'gauge', help), read);
  }

  /** Adds a counter, like {@link gauge}. */
  counter(name: string, help: string, read: Read): void {
    this.#add(name, writeHeader(name, 'counter', help), read);
  }

  #add(name: string, header: string, read: Read): void {
    this.addText(name, header, () => {
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
   * @throws Error if the name is taken.
   */
  addText(name: string, header: string, write: () => string): void {
    if (this.#metrics.has(name)) throw new Error(`two metrics are named ${name}`);
    this.#metrics.set(name, { header, write });
  }

  /** Writes all metrics. */
  write(): string {
    return [...this.#metrics.values()].map(({ header, write }) => header + write()).join('');
  }
}

/** Upper bounds of duration buckets, in seconds. They range from a memory read to a slow upstream call. */
const DURATION_BOUNDS: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
];

/** A Prometheus histogram. Observing a value allocates nothing. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** Counts by bucket. The last one counts values above all bounds. */
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

  /** Writes one series: cumulative buckets, sum and count. */
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

/** Writes the two lines before the samples of a metric. */
export function writeHeader(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function writeSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${writeNumber(value)}\n`;
}

/** Writes a number in a form that Go's ParseFloat accepts. */
function writeNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
