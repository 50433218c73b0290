import { u64 } from '../params/primitives.ts';
import { defineTupleMethod } from '../rpc-method.ts';
import { findBlock } from '../blocks/find-block.ts';

/** `getBlockTime([slot])`: when the slot of a block began, Unix seconds. Includes the current slot. */
export const getBlockTime = defineTupleMethod(
  'getBlockTime',
  [u64],
  ({ ledger }, slot) => findBlock(ledger, slot, ledger.head().slot).blockTime,
);
