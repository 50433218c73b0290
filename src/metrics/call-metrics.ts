import { DurationHistogram } from './duration-histogram.ts';
import type { Registry, Sample } from './registry.ts';

/** Outcomes of a call (`CallOutcome` of the ledger node). */
const OUTCOMES = ['ok', 'refused', 'failed'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** The label of all unsupported methods. */
const UNKNOWN = 'unknown';

interface Row {
  readonly counts: Record<Outcome, number>;
  readonly durations: DurationHistogram;
}

/** Records a call; `durationMs` is the time its method took. */
type RecordCall = (method: string | undefined, outcome: Outcome, durationMs: number) => void;

const RPC_HELP = {
  calls: 'Answered JSON-RPC calls by method and outcome.',
  durations: 'Duration of JSON-RPC methods without HTTP, seconds.',
};

/** Help texts by the prefix of the metric names. */
const HELP = {
  ledger_rpc: RPC_HELP,
  rollup_rpc: RPC_HELP,
  service: {
    calls: 'Answered REST and MCP calls by tool or MCP method, and outcome.',
    durations: 'Time from the head of a REST or MCP request to its response, seconds.',
  },
};

/**
 * Adds call counts by method and outcome, and call durations. Methods without calls are omitted.
 *
 * @param prefix start of the metric names.
 * @param methods the methods with their own label. Other methods count as `unknown`, so callers cannot add
 * series.
 */
export function createCallMetrics(
  registry: Registry,
  prefix: keyof typeof HELP,
  methods: Iterable<string>,
): RecordCall {
  const help = HELP[prefix];
  const durationsName = `${prefix}_call_duration_seconds`;
  const rows = new Map<string, Row>([...methods].map((method) => [method, newRow()]));
  const unknown = newRow();
  rows.set(UNKNOWN, unknown);

  registry.counter(`${prefix}_calls_total`, help.calls, () => countSamples(rows));
  registry.histogram(durationsName, help.durations, () =>
    [...rows]
      .filter(([method, row]) => method !== UNKNOWN && wasCalled(row))
      .flatMap(([method, { durations }]) => durations.samples(durationsName, { method })),
  );
  return (method, outcome, durationMs) => {
    const row = (method === undefined ? undefined : rows.get(method)) ?? unknown;
    row.counts[outcome] += 1;
    row.durations.observe(durationMs / 1_000);
  };
}

function newRow(): Row {
  return { counts: { ok: 0, refused: 0, failed: 0 }, durations: new DurationHistogram() };
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
