import { u64 } from '../params/primitives.ts';
import { defineTupleMethod } from '../rpc-method.ts';

/** `getBlockCommitment([slot])`: the stake that voted for a block. Nobody votes and nothing is staked. */
export const getBlockCommitment = defineTupleMethod('getBlockCommitment', [u64], (_node, _slot) => ({
  commitment: null,
  totalStake: 0,
}));
