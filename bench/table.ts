import type { MeasuredBuilds } from './builds.ts';
import type { Measured } from './requests.ts';
import { median } from './statistics.ts';

const FLOOR = 'echo of 1 KB JSON';

/** The figures as a Markdown table: CPU time per request, its ratio to the floor and to the peer's twin, and latency. */
export function formatTable(measured: readonly Measured[]): string {
  const cpuOf = (name: string): number =>
    median(measured.find((row) => row.case.name === name)?.rounds.map(({ cpuMicros }) => cpuMicros) ?? []);
  const floor = cpuOf(FLOOR);
  const header = [
    'what',
    'server',
    'CPU us/request',
    'to the floor',
    'to the peer',
    'to in process',
    'requests/s',
    'p50 ms',
    'p99 ms',
  ];
  const rows = measured.map(({ case: { name, server, twin }, rounds }) => {
    const cpu = median(rounds.map(({ cpuMicros }) => cpuMicros));
    return [
      name,
      server,
      cpu.toFixed(1),
      ratio(cpu, floor),
      twin === undefined ? '' : `1/${(cpuOf(twin) / cpu).toFixed(0)}`,
      ratio(cpu, median(rounds.map(({ inProcessMicros }) => inProcessMicros))),
      median(rounds.map(({ requests, seconds }) => requests / seconds)).toFixed(0),
      median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
      median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    ];
  });
  return markdown([header, ...rows]);
}

/** What building in process costs, as a Markdown table: CPU time per transaction and its ratio to the SDK's twin. */
export function formatBuilds(measured: readonly MeasuredBuilds[]): string {
  const cpuOf = (name: string): number =>
    median(measured.find((row) => row.case.name === name)?.cpuMicros ?? []);
  const rows = measured.map(({ case: { name, side, twin } }) => [
    name,
    side === 'ours' ? 'ours' : 'SDK + web3.js',
    cpuOf(name).toFixed(1),
    (1_000_000 / cpuOf(name)).toFixed(0),
    twin === undefined ? '' : `1/${(cpuOf(twin) / cpuOf(name)).toFixed(0)}`,
  ]);
  return markdown([['build', 'by', 'CPU us/build', 'builds/s', 'to the SDK'], ...rows]);
}

/** How many times as much; nothing where there is nothing to compare with. */
export function ratio(value: number, to: number): string {
  return Number.isNaN(to) ? '' : `${(value / to).toFixed(2)}x`;
}

/** A Markdown table; its first row is the header. */
export function markdown([header = [], ...rows]: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
