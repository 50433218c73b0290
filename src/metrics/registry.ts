/** What the names of a node's figures begin with. */
export type NodePrefix = 'ledger' | 'rollup';

/** The names and values that tell the series of one metric apart. Names are words of this code. */
type Labels = Readonly<Record<string, string>>;

/** One series of a metric: its labels and its value now. */
export type Sample = readonly [Labels, number];

/** A value, or the series there are; read when somebody asks for it. */
type Read = () => number | Iterable<Sample>;

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

  /**
   * Adds a value that goes up and down.
   *
   * @param name unique: lower case, base unit last, `_total` for counters (Prometheus naming practices).
   * @param help one line of plain words.
   * @throws Error when the name is taken.
   */
  gauge(name: string, help: string, read: Read): void {
    this.#add(name, writeHeader(name, 'gauge', help), read);
  }

  /** Adds a value that only goes up, as {@link gauge} does. */
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
   * @throws Error when the name is taken.
   */
  addText(name: string, header: string, write: () => string): void {
    if (this.#metrics.has(name)) throw new Error(`two metrics are called ${name}`);
    this.#metrics.set(name, { header, write });
  }

  /** The figures of now. */
  write(): string {
    return [...this.#metrics.values()].map(({ header, write }) => header + write()).join('');
  }
}

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

/** The two lines that come before the samples of a metric. `help` is one line of plain words. */
export function writeHeader(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** One sample as Prometheus' text format 0.0.4 has it. */
function writeSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${writeNumber(value)}\n`;
}

/** A number as Go's ParseFloat reads it. */
function writeNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
