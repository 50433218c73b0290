/** The names and values that tell the series of one metric apart. Names are words of this code. */
export type Labels = Readonly<Record<string, string>>;

/** What a metric is, for the reader of its text. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The two lines that come before the samples of a metric. `help` is one line of plain words. */
export function writeHeader(name: string, type: MetricType, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** One sample as Prometheus' text format 0.0.4 has it. */
export function writeSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${writeNumber(value)}\n`;
}

/** A number as Go's ParseFloat reads it. */
export function writeNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
