import { Histogram, type NodePrefix, type Registry, type Sample, writeHeader } from './registry.ts';

/** How a call went (`CallOutcome` of the ledger node). */
const OUTCOMES = ['ok', 'refused', 'failed'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** Stands for all methods that are not served, whatever callers call them. */
const UNKNOWN = 'unknown';

/** What is known of one method. */
interface Row {
  readonly counts: Record<Outcome, number>;
  readonly durations: Histogram;
}

/** Takes note of a call; `durationMs` is the time its method took. */
type NoteCall = (method: string | undefined, outcome: Outcome, durationMs: number) => void;

/**
 * Adds the calls of a node: how many by method and outcome, and how long their methods took. Methods that
 * nobody called are left out.
 *
 * @param prefix which node it is: the beginning of the figures' names.
 * @param methods the names that may show up. Any other counts as `unknown`, so that callers cannot make up
 *   series.
 */
export function createCallMetrics(
  registry: Registry,
  prefix: NodePrefix,
  methods: Iterable<string>,
): NoteCall {
  const durationsName = `${prefix}_rpc_call_duration_seconds`;
  const rows = new Map<string, Row>([...methods].map((method) => [method, newRow()]));
  const unknown = newRow();
  rows.set(UNKNOWN, unknown);

  registry.counter(`${prefix}_rpc_calls_total`, 'Answered JSON-RPC calls by method and outcome.', () =>
    countSamples(rows),
  );
  const header = writeHeader(durationsName, 'histogram', 'Time that methods took, without HTTP.');
  registry.addText(durationsName, header, () => {
    const called = [...rows].filter(([method, row]) => method !== UNKNOWN && wasCalled(row));
    return called.map(([method, { durations }]) => durations.write(durationsName, { method })).join('');
  });

  return (method, outcome, durationMs) => {
    const row = (method === undefined ? undefined : rows.get(method)) ?? unknown;
    row.counts[outcome] += 1;
    row.durations.observe(durationMs / 1_000);
  };
}

function newRow(): Row {
  return { counts: { ok: 0, refused: 0, failed: 0 }, durations: new Histogram() };
}

function wasCalled({ counts }: Row): boolean {
  return OUTCOMES.some((outcome) => counts[outcome] > 0);
}

function* countSamples(rows: ReadonlyMap<string, Row>): Iterable<Sample> {
  for (const [method, row] of rows) {
    if (!wasCalled(row)) continue;
    for (const outcome of OUTCOMES) yield [{ method, outcome }, row.counts[outcome]];
  }
}
