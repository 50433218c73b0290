import { u64 } from '../params/primitives.ts';
import { defineScan } from '../rpc-method.ts';
import { blockOptions, encodingOrBlockConfig } from '../blocks/block-options.ts';
import { refuseProcessed } from '../transactions/confirmed-only.ts';
import { findBlock } from '../blocks/find-block.ts';
import { showBlockInSteps } from '../blocks/show-block.ts';

/** `getBlock([slot, config?])`: the block of a finished slot, with its transactions. */
export const getBlock = defineScan(
  'getBlock',
  { required: [u64], optional: [encodingOrBlockConfig] },
  function* (node, slot, config) {
    refuseProcessed(config?.commitment);
    return yield* showBlockInSteps(findBlock(node.ledger, slot), blockOptions(config));
  },
);
