import type { CallRecord } from './examination.ts';

/** What one client's run came to. */
export interface ClientReport {
  readonly client: string;
  readonly records: readonly CallRecord[];
  /** What was not as it must be, in words. */
  readonly surprises: readonly string[];
}

/** The calls line by line and the clients column by column, then every surprise in words. */
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
