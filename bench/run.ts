import { cpus } from 'node:os';
import { inProcessBuilds } from './builds.ts';
import { consolePage } from './console.ts';
import { derivation } from './derivation.ts';
import { fanOut } from './ledger/fan-out.ts';
import { fullLedger } from './ledger/full-ledger.ts';
import { growth } from './ledger/growth.ts';
import { history } from './ledger/history.ts';
import { programAccounts } from './ledger/program-accounts.ts';
import { overload } from './ledger/overload.ts';
import { pruning } from './ledger/pruning.ts';
import { room } from './ledger/room.ts';
import { restart } from './ledger/restart.ts';
import { sends } from './ledger/sends.ts';
import { start } from './ledger/start.ts';
import { formatMarks } from './marks.ts';
import { localnet } from './localnet.ts';
import { requests } from './requests.ts';
import { payouts } from './rollup/payouts.ts';
import { queues } from './rollup/queues.ts';
import { rollup } from './rollup/rollup.ts';
import { settlements } from './rollup/settlements.ts';
import type { Figures } from './figures.ts';
import { scaling } from './scaling/scaling.ts';
import type { Section, Settings } from './section.ts';
import { moveAside } from './server-process.ts';
import { soak } from './soak/soak.ts';
import { upstream } from './upstream.ts';
import { workers } from './workers.ts';

/**
 * Measures the service and the ledger node beside a bare node:http echo (the floor), beside the ledger
 * without a node around it, and beside a server written with the official MCP SDK, the MagicBlock SDK and
 * web3.js (the peer): what is compared is measured in one run, in alternating rounds. At its end it says
 * which marks were met (marks.ts). Takes half an hour, some minutes of it for filling a ledger and watching an
 * idle one.
 *
 *   npm run bench                    everything
 *   npm run bench -- start sends     these sections only; an unknown name lists them
 *
 * `BENCH_ROUNDS`, `BENCH_ROUND_MS` and `BENCH_IDLE_S` (3600 for the whole hour) change how long it takes;
 * `BENCH_FILLED_LEDGER` names a folder that keeps the filled ledger for the next run, `BENCH_FULL_LEDGER` one
 * with a ledger of a million accounts that `bench/ledger/fill-ledger.mjs` has filled. MagicBlock's validator
 * takes part where `npm run external-validator -- --probe --version 0.8.3` (rollup) and 0.14.10 (payouts) find
 * all they need.
 */
const SECTIONS: readonly Section[] = [
  derivation,
  inProcessBuilds,
  requests,
  upstream,
  workers,
  start,
  localnet,
  programAccounts,
  room,
  overload,
  sends,
  fanOut,
  restart,
  pruning,
  history,
  fullLedger,
  scaling,
  rollup,
  settlements,
  queues,
  payouts,
  soak,
  growth,
  consolePage,
];

const settings: Settings = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  roundMs: Number(process.env['BENCH_ROUND_MS'] ?? 800),
  idleMs: Number(process.env['BENCH_IDLE_S'] ?? 60) * 1_000,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !SECTIONS.some((section) => section.name === name));
if (unknown !== undefined) {
  const known = SECTIONS.map(({ name, title }) => `  ${name.padEnd(18)}${title}`);
  console.error(`There is no section ${unknown}. There are:\n${known.join('\n')}`);
  process.exit(1);
}

// What is running ends when this process does in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
moveAside();
const [cpu] = cpus();
const { rounds, roundMs } = settings;
console.log(`Node ${process.version}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}).`);
console.log(`${rounds} rounds of ${roundMs} ms, alternating; medians over the rounds.`);
const startedMs = performance.now();
const figures: Partial<Figures> = {};
for (const section of SECTIONS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const findings = await section.run(settings);
  console.log(`\n### ${section.title} (${section.name})\n\n${findings.text}`);
  Object.assign(figures, findings.figures);
}
console.log(`\n### Marks\n\n${formatMarks(figures)}`);
console.log(`\nIt took ${((performance.now() - startedMs) / 1_000).toFixed(0)} s.`);
