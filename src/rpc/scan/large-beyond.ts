import { LARGE, type Steps } from './scan.ts';

/**
 * These steps, said to be large once there are more than so many. Before the first all is read from the
 * ledger.
 */
export function* largeBeyond<Result>(count: number, steps: Steps<Result>): Steps<Result> {
  for (let taken = 0; ; taken++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (taken === count) yield LARGE;
    yield step.value;
  }
}
