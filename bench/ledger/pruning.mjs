// How long the event loop of a ledger stands still while its history is full and it moves transactions into
// its database, which forgets as many older ones: `pruning.mjs FOLDER TRANSACTIONS BATCHES`. Nothing else is
// asked of the ledger meanwhile. Prints the longest stand of each batch, ms: by the clock, and CPU time of
// the thread (Linux alone, else null).
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TAKE_OVER_LIMITS } from '../../dist/ledger/store/take-over.js';
import { openBenchLedger } from './open-bench-ledger.mjs';
import { signTransfer } from './population.mjs';

const BATCH = 1_000;
/** Longer than taking a batch over takes. */
const WATCHING_MS = 3_000;
const TICK_MS = 1;
const NANOS_PER_MS = 1_000_000;

const [folder, transactionsText, batchesText] = process.argv.slice(2);
const ledger = await openBenchLedger(folder, Number(transactionsText));
const stands = [];
let number = 0;
while (stands.length < Number(batchesText)) {
  const { blockhash } = ledger.head();
  const started = performance.now();
  await Promise.all(Array.from({ length: BATCH }, () => ledger.submit(signTransfer(number++, blockhash))));
  // What was submitted is moved so long after the first of it.
  await sleep(Math.max(0, TAKE_OVER_LIMITS.delayMs - (performance.now() - started) - WATCHING_MS / 10));
  stands.push(await longestStand(WATCHING_MS));
}
await ledger.close();
process.stdout.write(JSON.stringify(stands));

async function longestStand(forMs) {
  const longest = { wallMs: 0, cpuMs: 0 };
  const endMs = performance.now() + forMs;
  let last = { wallMs: performance.now(), cpuMs: threadMs() };
  while (last.wallMs < endMs) {
    await sleep(TICK_MS);
    const now = { wallMs: performance.now(), cpuMs: threadMs() };
    longest.wallMs = Math.max(longest.wallMs, now.wallMs - last.wallMs - TICK_MS);
    longest.cpuMs = now.cpuMs === null ? null : Math.max(longest.cpuMs, now.cpuMs - last.cpuMs);
    last = now;
  }
  return longest;
}

/** CPU time of this thread so far. */
function threadMs() {
  if (process.platform !== 'linux') return null;
  const [nanos] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanos) / NANOS_PER_MS;
}
