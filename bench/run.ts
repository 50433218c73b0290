import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { compareFacilitators, FACILITATORS_HEAD } from './facilitators.ts';
import { moveAside } from './processes.ts';
import { ROWS, type Result } from './rows.ts';
import { Servers } from './stack.ts';

/** The name of the facilitator table, and the number of rows that take as long as it. */
const FACILITATORS = 'x402';
const FACILITATORS_ROWS = 8;

/**
 * Compares this program in alternating bursts with a bare node:http echo, and with a server that uses the
 * official MCP SDK, the MagicBlock SDK and web3.js. Prints one table, and another for the x402 facilitators.
 *
 * npm run bench                               all rows npm run bench -- getSlot 'idle CPU'         only these
 * rows; an unknown name lists all of them npm run bench -- --seconds 1 --no-peer      shorter, and without
 * installing the peer's packages
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '10' }, 'no-peer': { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
const names = [...ROWS.map(({ name }) => name), FACILITATORS];
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`There is no row '${unknown}'. The rows are:\n  ${names.join('\n  ')}`);
if (!(seconds > 0)) fail('--seconds must be a number above 0: about how long each row is measured.');

moveAside();
const isAsked = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const rows = ROWS.filter(({ name }) => isAsked(name));
const bench = { servers: new Servers(), durationMs: seconds * 1_000, withPeer: !values['no-peer'] };
const lines: string[][] = [];
for (const row of rows) {
  process.stderr.write(`${row.name} ...\n`);
  lines.push(lineOf(row.name, await row.measure(bench)));
}
let facilitators: string[][] = [];
if (isAsked(FACILITATORS) && bench.withPeer) {
  process.stderr.write(`${FACILITATORS} ...\n`);
  facilitators = await compareFacilitators(bench.durationMs * FACILITATORS_ROWS);
}
const { model = 'unknown' } = cpus()[0] ?? {};
console.log(`Node ${process.version}, ${cpus().length} cores (${model.trim()}), ${seconds} s per row.\n`);
const head = [
  'row',
  'unit',
  'this',
  'echo',
  'to the echo',
  'peer',
  'to the peer',
  'requests/s',
  'p50 ms',
  'p99 ms',
];
if (lines.length > 0) print(head, lines);
if (facilitators.length > 0) {
  console.log('\nx402 facilitators. The last three columns are ratios to the stock one:\n');
  print(FACILITATORS_HEAD, facilitators);
}
process.exit();

function print(titles: readonly string[], table: readonly string[][]): void {
  for (const cells of [titles, titles.map(() => '---'), ...table]) console.log(`| ${cells.join(' | ')} |`);
}

function lineOf(name: string, { unit, ours, echo, peer, load }: Result): string[] {
  return [
    name,
    unit,
    figure(ours),
    figure(echo),
    echo === undefined || echo === 0 ? '' : `${(ours / echo).toFixed(2)}x`,
    figure(peer),
    peer === undefined ? '' : `1/${(peer / ours).toFixed(1)}`,
    load === undefined ? '' : load.perSecond.toFixed(0),
    load === undefined ? '' : load.p50Ms.toFixed(2),
    load === undefined ? '' : load.p99Ms.toFixed(2),
  ];
}

function figure(value: number | undefined): string {
  if (value === undefined) return '';
  return value.toFixed(value < 100 ? 1 : 0);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
