import { invalidParams } from '../errors.ts';
import { contextConfig } from '../params/configs.ts';
import { u64, usize } from '../params/primitives.ts';
import { defineScan } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';
import { BLOCKS_RANGE_MAX } from '../blocks/blocks-range.ts';
import { refuseProcessed } from '../transactions/confirmed-only.ts';
import { listSlots } from '../blocks/list-slots.ts';

/**
 * `getBlocksWithLimit([first, limit, config?])`: up to `limit` finished slots from `first` on that have a
 * block.
 */
export const getBlocksWithLimit = defineScan(
  'getBlocksWithLimit',
  { required: [u64, usize], optional: [contextConfig] },
  function* (node, first, limit, config) {
    refuseProcessed(config?.commitment);
    if (limit > BLOCKS_RANGE_MAX) throw invalidParams(`Limit too large; max ${BLOCKS_RANGE_MAX}`);
    readHead(node, config);
    const finished = node.ledger.finishedSlot();
    if (first > BigInt(finished)) return [];
    return yield* listSlots(node.ledger, Number(first), finished, Number(limit));
  },
);
