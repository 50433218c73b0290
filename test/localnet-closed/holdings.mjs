/**
 * Prints the resources of a process before and after it runs localnets of the bundle, as one line of JSON.
 * Exits by itself, which proves that no handle is left open.
 *
 *   node holdings.mjs ROUNDS BESIDE    ROUNDS one after the other, then BESIDE at the same time
 */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startLocalnet } from '../../dist/bundle/localnet.js';

/** The signals and faults that programs listen to. */
const PROCESS_EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'beforeExit', 'uncaughtException', 'warning'];

/** Handles that this program's own waiting opens and closes. */
const UNDER_WAY = new Set(['Immediate', 'Timeout', 'FSReqPromise', 'FSReqCallback', 'TickObject']);

/** Closing a socket takes turns of the event loop at both ends, and an idle connection stays for seconds. */
const REST_MS = 30_000;

/** Returns the number of open files and sockets; null if the machine does not report it. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

/** Handles of the event loop by kind, open files, listeners, temporary files, environment, folder. */
const holdings = () => ({
  handles: process
    .getActiveResourcesInfo()
    .filter((kind) => !UNDER_WAY.has(kind))
    .toSorted(),
  files: openFiles(),
  listeners: PROCESS_EVENTS.map((event) => [event, process.listenerCount(event)]),
  temporary: readdirSync(tmpdir()),
  environment: { ...process.env },
  folder: process.cwd(),
});

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the resources once `isAtRest` accepts them and the previous ones, or after {@link REST_MS}. */
async function holdingsAt(isAtRest) {
  const end = performance.now() + REST_MS;
  for (let last = holdings(); ;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const held = holdings();
    if (isAtRest(held, last) || performance.now() > end) return held;
    last = held;
  }
}

const holdingsAfter = (before) => holdingsAt((held) => isSame(held, before));

const [rounds, beside] = process.argv.slice(2).map(Number);
const { handles } = await holdingsAt(isSame);
// The first localnet opens what the process needs only once: files, but no handles.
await (await startLocalnet()).close();
const before = await holdingsAt((held, last) => isSame(held.handles, handles) && isSame(held, last));

for (let round = 0; round < rounds; round++) {
  const localnet = await startLocalnet();
  await localnet.createWallet({ sol: 1, tokens: 1n });
  if (round % 10 === 0) await localnet.reset();
  await localnet.close();
}
const afterRounds = await holdingsAfter(before);

const localnets = await Promise.all(Array.from({ length: beside }, () => startLocalnet()));
const duringBeside = holdings();
await Promise.all(localnets.map((each) => each.close()));
const afterBeside = await holdingsAfter(before);

console.log(JSON.stringify({ before, afterRounds, duringBeside, afterBeside }));
