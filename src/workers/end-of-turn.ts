/**
 * Runs `task` once everything that the present turn of the event loop leads to without waiting for anything
 * is done: the ticks that Node runs after a callback come after all microtasks that are there by then, and
 * this one is asked for by a microtask.
 */
export function atEndOfTurn(task: () => void): void {
  queueMicrotask(() => process.nextTick(task));
}
