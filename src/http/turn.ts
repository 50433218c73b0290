/**
 * Requests that arrive in one turn of the event loop are worked on in one run, and their answers written in one run
 * after it. Between two system calls a processor starts with cold caches and branch predictors, so that reading,
 * working and writing each in a row costs much less CPU time than doing all three for one request after another. An
 * idle server gives each request its own run, a few microseconds later than it could.
 *
 * A run that takes long is broken off after `HTTP_LIMITS.turnMs`: its answers are written, the sockets are read, and the
 * rest is worked on in the next turn.
 */

import { HTTP_LIMITS } from './limits.ts';

let arrivals: (() => void)[] = [];
let departures: (() => void)[] = [];
let isWorking = false;
let turnEndsAtMs = 0;
const paused: (() => void)[] = [];

/** Does `work` once everything that can be read from the sockets now has been read. */
export function workTogether(work: () => void): void {
  // The check phase of the event loop comes right after the poll phase, which reads all sockets that are ready.
  if (arrivals.push(work) === 1) setImmediate(runArrivals);
}

/** Does `write` once the work at hand is done. */
export function writeTogether(write: () => void): void {
  if (departures.push(write) === 1 && !isWorking) setImmediate(runDepartures);
}

/** Whether the work at hand has held up everything else for long enough. Work outside of a turn always has. */
export function isTurnOver(): boolean {
  return performance.now() >= turnEndsAtMs;
}

/** Resolves when long work may go on: in a later turn of the event loop, one piece of work in each. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (paused.push(resolve) === 1) setImmediate(resumeOne);
  });
}

function resumeOne(): void {
  startTurn();
  paused.shift()?.();
  if (paused.length > 0) setImmediate(resumeOne);
}

function startTurn(): void {
  turnEndsAtMs = performance.now() + HTTP_LIMITS.turnMs;
}

function runArrivals(): void {
  const works = arrivals;
  arrivals = [];
  isWorking = true;
  startTurn();
  const doneCount = runAll(works, isTurnOver);
  isWorking = false;
  if (doneCount < works.length) {
    if (arrivals.length === 0) setImmediate(runArrivals);
    arrivals = [...works.slice(doneCount), ...arrivals];
  }
  if (departures.length > 0) runDepartures();
}

function runDepartures(): void {
  const writes = departures;
  departures = [];
  runAll(writes);
}

/**
 * Runs tasks until `isOver`, one at least, and tells how many. What one of them throws is thrown on as nobody's, after
 * the others have had their turn.
 */
function runAll(tasks: readonly (() => void)[], isOver: () => boolean = () => false): number {
  let doneCount = 0;
  for (const task of tasks) {
    if (doneCount > 0 && isOver()) break;
    doneCount += 1;
    try {
      task();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
  return doneCount;
}
