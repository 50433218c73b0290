import { invalidParams } from '../errors.ts';
import { usize } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { SAMPLE_PERIOD_SECONDS, SAMPLES_MAX } from '../cluster/performance-samples.ts';

/**
 * `getRecentPerformanceSamples([limit]?)`: the activity of each recent minute, as far as the node has counted
 * it. There are no votes on this ledger.
 */
export const getRecentPerformanceSamples = defineMethod(
  'getRecentPerformanceSamples',
  { required: [], optional: [usize] },
  (node, limit = BigInt(SAMPLES_MAX)) => {
    if (limit > SAMPLES_MAX) throw invalidParams(`Invalid limit; max ${SAMPLES_MAX}`);
    const samples = node.performance?.samples(Number(limit)) ?? [];
    return samples.map(({ slot, slotCount, transactionCount }) => ({
      numNonVoteTransactions: transactionCount,
      numSlots: slotCount,
      numTransactions: transactionCount,
      samplePeriodSecs: SAMPLE_PERIOD_SECONDS,
      slot,
    }));
  },
);
