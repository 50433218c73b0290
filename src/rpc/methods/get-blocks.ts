import { invalidParams } from '../errors.ts';
import { contextConfig, type ContextConfig } from '../params/configs.ts';
import { u64 } from '../params/primitives.ts';
import { untagged } from '../params/untagged.ts';
import { defineScan } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';
import { refuseProcessed } from '../transactions/confirmed-only.ts';
import { BLOCKS_RANGE_MAX } from '../blocks/blocks-range.ts';
import { listSlots } from '../blocks/list-slots.ts';

/** Agave `RpcBlocksConfigWrapper`: the last slot, or the config in its place. */
const lastSlotOrConfig = untagged<{ readonly lastSlot?: bigint; readonly config?: ContextConfig }>(
  'RpcBlocksConfigWrapper',
  [(value) => ({ lastSlot: u64(value) }), (value) => ({ config: contextConfig(value) })],
);

/** `getBlocks([first, last?, config?])`: the finished slots from `first` to `last` that have a block. */
export const getBlocks = defineScan(
  'getBlocks',
  { required: [u64], optional: [lastSlotOrConfig, contextConfig] },
  function* (node, first, wrapper, givenConfig) {
    const config = givenConfig ?? wrapper?.config;
    refuseProcessed(config?.commitment);
    readHead(node, config);
    const finished = BigInt(node.ledger.finishedSlot());
    const asked = wrapper?.lastSlot ?? first + BLOCKS_RANGE_MAX;
    const last = asked < finished ? asked : finished;
    if (last < first) return [];
    if (last - first > BLOCKS_RANGE_MAX) {
      throw invalidParams(`Slot range too large; max ${BLOCKS_RANGE_MAX}`);
    }
    return yield* listSlots(node.ledger, Number(first), Number(last), Number(last - first) + 1);
  },
);
