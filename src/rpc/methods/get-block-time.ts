import { u64 } from '../params/primitives.ts';
import { defineTupleMethod } from '../rpc-method.ts';
import { findBlock } from '../transactions/find-block.ts';

/** `getBlockTime([slot])`: when the slot of a block began, Unix seconds. */
export const getBlockTime = defineTupleMethod(
  'getBlockTime',
  [u64],
  (node, slot) => findBlock(node.ledger, slot).blockTime,
);
