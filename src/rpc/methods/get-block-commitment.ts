import { u64 } from '../params/primitives.ts';
import { defineTupleMethod } from '../rpc-method.ts';
import { activeStakes } from '../cluster/active-stakes.ts';
import { epochOf } from '../cluster/leader-epochs.ts';

/**
 * `getBlockCommitment([slot])`: the stake that voted for a block, and the total stake. Agave reports no votes
 * for a rooted block, and here every finished block is rooted.
 */
export const getBlockCommitment = defineTupleMethod('getBlockCommitment', [u64], ({ ledger }, _slot) => {
  const stakes = activeStakes(ledger, epochOf(ledger, BigInt(ledger.head().slot)));
  return { commitment: null, totalStake: [...stakes.values()].reduce((sum, stake) => sum + stake, 0n) };
});
