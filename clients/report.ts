import type { CallRecord } from './examination.ts';

/** The result of one client's run. */
export interface ClientReport {
  readonly client: string;
  readonly records: readonly CallRecord[];
  /** Descriptions of unexpected outcomes. */
  readonly surprises: readonly string[];
}

/** Formats a table with a row for each call and a column for each client, then lists every surprise. */
export function formatReports(reports: readonly ClientReport[]): string {
  const lines = new Map(reports.flatMap(({ records }) => records.map((record) => [keyOf(record), record])));
  const table = [
    ['tool', 'call', 'must be', ...reports.map(({ client }) => client)],
    ...[...lines.values()].map((line) => [
      line.tool,
      line.about,
      'refuses' in line.outcome ? line.outcome.refuses : 'a result',
      ...reports.map(({ records }) => cellOf(records.find((record) => keyOf(record) === keyOf(line)))),
    ]),
  ];
  const surprises = reports.flatMap(({ client, surprises: all }) => all.map((text) => `${client}: ${text}`));
  return [...alignColumns(table), ...surprises.map((text) => `\n${text}`)].join('\n');
}

function keyOf({ tool, about }: CallRecord): string {
  return `${tool} ${about}`;
}

function cellOf(record: CallRecord | undefined): string {
  if (record === undefined) return '-';
  return record.surprise === undefined ? 'ok' : 'SURPRISE';
}

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
