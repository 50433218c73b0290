/**
 * Runs all requests that arrive in one turn of the event loop, and then writes all their responses. This
 * costs less CPU time than handling one request after another, because each system call leaves caches and
 * branch predictors cold. On an idle server it delays each request by a few microseconds.
 *
 * Clients take turns, one request each. A run stops after `HTTP_LIMITS.turnMs`, or `HTTP_LIMITS.sharedTurnMs`
 * while several clients are active. Then responses are written and sockets are read, and the rest runs in the
 * next turn.
 */

import { FairQueue } from './fair-queue.ts';
import { HTTP_LIMITS } from './limits.ts';

const arrivals = new FairQueue<() => void>();
let areArrivalsDue = false;
let departures: (() => void)[] = [];
let isWorking = false;
let turnEndsAtMs = 0;
const paused = new FairQueue<() => void>();

let lastClient: string | undefined;
/** Several clients count as active until this time. */
let sharedUntilMs = 0;

/**
 * Runs `work` once all readable sockets have been read, after at most one task of each other client.
 *
 * @param client key of the client (`clientOf`).
 */
export function workTogether(client: string, work: () => void): void {
  if (client !== lastClient) noteActive(client);
  arrivals.push(client, work);
  // Immediates run right after the poll phase, which reads all ready sockets.
  callForArrivals();
}

/** Runs `write` after the current run of work. */
export function writeTogether(write: () => void): void {
  if (departures.push(write) === 1 && !isWorking) setImmediate(runDepartures);
}

/** Whether the current run has used up its time; true outside a run. */
export function isTurnOver(): boolean {
  return performance.now() >= turnEndsAtMs;
}

/** Resolves when a long task of `client` may continue. Clients take turns, one task each. */
export function nextTurn(client: string): Promise<void> {
  return new Promise((resolve) => {
    if (paused.size === 0) setImmediate(resumeOne);
    paused.push(client, resolve);
  });
}

function noteActive(client: string): void {
  if (lastClient !== undefined) sharedUntilMs = performance.now() + HTTP_LIMITS.sharedForMs;
  lastClient = client;
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
  // Work that arrives during the run waits for the next turn.
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

/** Runs a task. Its error is rethrown as uncaught after the other tasks have run. */
function run(task: () => void): void {
  try {
    task();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
