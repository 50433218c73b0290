import type { MeasuredBuilds } from './builds.ts';
import { FLOOR } from './floor.ts';
import type { MeasuredRow } from './load-rows.ts';
import { median } from './statistics.ts';

/**
 * Rows of requests as a Markdown table: CPU time per request, its ratio to the floor, to the peer's twin and
 * to the ledger in process, and latency. A column without figures is left out.
 */
export function formatRows(measured: readonly MeasuredRow[]): string {
  const cpuOf = (name: string): number =>
    median(measured.find(({ row }) => row.name === name)?.rounds.map(({ cpuMicros }) => cpuMicros) ?? []);
  const floor = cpuOf(FLOOR);
  const rows = measured.map(({ row: { name, serverName, twin }, rounds }) => {
    const cpu = median(rounds.map(({ cpuMicros }) => cpuMicros));
    return {
      what: name,
      server: serverName,
      'CPU us/request': cpu.toFixed(1),
      'to the floor': ratio(cpu, floor),
      'to the peer': twin === undefined ? '' : `1/${(cpuOf(twin) / cpu).toFixed(0)}`,
      'to in process': ratio(cpu, median(rounds.map(({ inProcessMicros }) => inProcessMicros))),
      'requests/s': median(rounds.map(({ requests, seconds }) => requests / seconds)).toFixed(0),
      'p50 ms': median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
      'p99 ms': median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    };
  });
  return markdown(rows);
}

/**
 * What building in process costs, as a Markdown table: CPU time per transaction and its ratio to the SDK's
 * twin.
 */
export function formatBuilds(measured: readonly MeasuredBuilds[]): string {
  const cpuOf = (name: string): number =>
    median(measured.find((row) => row.case.name === name)?.cpuMicros ?? []);
  const rows = measured.map(({ case: { name, side, twin } }) => ({
    build: name,
    by: side === 'ours' ? 'ours' : 'SDK + web3.js',
    'CPU us/build': cpuOf(name).toFixed(1),
    'builds/s': (1_000_000 / cpuOf(name)).toFixed(0),
    'to the SDK': twin === undefined ? '' : `1/${(cpuOf(twin) / cpuOf(name)).toFixed(0)}`,
  }));
  return markdown(rows);
}

/** How many times as much; nothing where there is nothing to compare with. */
export function ratio(value: number, to: number): string {
  return Number.isNaN(to) ? '' : `${(value / to).toFixed(2)}x`;
}

/** A Markdown table of rows with the same columns. Columns that are empty in every row are left out. */
export function markdown(rows: readonly Readonly<Record<string, string>>[]): string {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.some((row) => row[column] !== ''));
  const lines = [
    columns,
    columns.map(() => '---'),
    ...rows.map((row) => columns.map((column) => row[column])),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
