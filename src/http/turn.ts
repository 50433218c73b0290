/**
 * Requests that arrive in one turn of the event loop are worked on in one run, and their answers written in
 * one run after it. Between two system calls a processor starts with cold caches and branch predictors, so
 * that reading, working and writing each in a row costs much less CPU time than doing all three for one
 * request after another. An idle server gives each request its own run, a few microseconds later than it
 * could.
 *
 * What waits is worked on in turn: one request of each client, and then the next of each. A run that takes
 * long is broken off after `HTTP_LIMITS.turnMs`: its answers are written, the sockets are read, and the rest
 * is worked on in the next turn. While more than one client is heard that is `HTTP_LIMITS.sharedTurnMs`, as
 * what one of them asks has to be read from its socket before it can have its turn.
 */

import { FairQueue } from './fair-queue.ts';
import { HTTP_LIMITS } from './limits.ts';

const arrivals = new FairQueue<() => void>();
let areArrivalsDue = false;
let departures: (() => void)[] = [];
let isWorking = false;
let turnEndsAtMs = 0;
const paused = new FairQueue<() => void>();

let lastHeard: string | undefined;
/** Until this time several clients count as active. */
let sharedUntilMs = 0;

/**
 * Runs `work` once all readable sockets have been read, after at most one piece of work of each other client.
 *
 * @param client what stands for it in a table of addresses (`clientOf`).
 */
export function workTogether(client: string, work: () => void): void {
  if (client !== lastHeard) hear(client);
  arrivals.push(client, work);
  // The check phase of the event loop comes right after the poll phase, which reads all sockets that are
  // ready.
  callForArrivals();
}

/** Runs `write` after the current run of work. */
export function writeTogether(write: () => void): void {
  if (departures.push(write) === 1 && !isWorking) setImmediate(runDepartures);
}

/** Whether the current run has taken its time. Work outside of a run always has. */
export function isTurnOver(): boolean {
  return performance.now() >= turnEndsAtMs;
}

/**
 * Resolves when long work of `client` may continue: in a later turn of the event loop, one piece per turn,
 * round-robin over clients.
 */
export function nextTurn(client: string): Promise<void> {
  return new Promise((resolve) => {
    if (paused.size === 0) setImmediate(resumeOne);
    paused.push(client, resolve);
  });
}

function hear(client: string): void {
  if (lastHeard !== undefined) sharedUntilMs = performance.now() + HTTP_LIMITS.sharedForMs;
  lastHeard = client;
}

function resumeOne(): void {
  startTurn();
  paused.shift()?.();
  if (paused.size > 0) setImmediate(resumeOne);
}

function startTurn(): void {
  const nowMs = performance.now();
  turnEndsAtMs = nowMs + (nowMs < sharedUntilMs ? HTTP_LIMITS.sharedTurnMs : HTTP_LIMITS.turnMs);
}

function callForArrivals(): void {
  if (areArrivalsDue) return;
  areArrivalsDue = true;
  setImmediate(runArrivals);
}

function runArrivals(): void {
  areArrivalsDue = false;
  isWorking = true;
  startTurn();
  // Work that arrives meanwhile runs in the next turn.
  for (let left = arrivals.size; left > 0; left--) {
    const work = arrivals.shift();
    if (work !== undefined) run(work);
    if (left > 1 && isTurnOver()) break;
  }
  isWorking = false;
  if (arrivals.size > 0) callForArrivals();
  if (departures.length > 0) runDepartures();
}

function runDepartures(): void {
  const writes = departures;
  departures = [];
  for (const write of writes) run(write);
}

/** An error of a task is rethrown as uncaught, after the other tasks have run. */
function run(task: () => void): void {
  try {
    task();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
