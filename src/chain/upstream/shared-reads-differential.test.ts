import { expect, it } from 'vitest';
import { compareReads } from '../testing/compare-reads.ts';
import { lengthOf } from '../../../test/length.ts';

/** How many requests are compared; SHARED_READS_SEED is the first cluster. */
const REQUESTS = lengthOf({ short: 1_000, long: 100_000 });
const FIRST_SEED = Number(process.env['SHARED_READS_SEED'] ?? 1);

it(`gives ${REQUESTS} requests the same answers as separate calls, whatever is wrong with the cluster`, async () => {
  const sums = { requests: 0, failures: 0, calls: 0, plainCalls: 0 };
  for (let seed = FIRST_SEED; sums.requests < REQUESTS; seed++) {
    const { requests, failures, calls, plainCalls } = await compareReads(seed);
    sums.requests += requests;
    sums.failures += failures;
    sums.calls += calls;
    sums.plainCalls += plainCalls;
  }
  // Faults come, but not to all, and calls are saved.
  expect(sums.failures).toBeGreaterThan(REQUESTS / 20);
  expect(sums.failures).toBeLessThan(REQUESTS / 2);
  expect(sums.calls).toBeLessThan(sums.plainCalls);
});
