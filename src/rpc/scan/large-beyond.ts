import { LARGE, type Steps } from './scan.ts';

/**
 * Marks steps as large if there are more than `count`. Everything must be read from the ledger before the
 * first step.
 */
export function* largeBeyond<Result>(count: number, steps: Steps<Result>): Steps<Result> {
  for (let taken = 0; ; taken++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (taken === count) yield LARGE;
    yield step.value;
  }
}
