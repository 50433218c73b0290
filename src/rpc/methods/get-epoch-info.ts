import { EPOCH_SLOTS } from '../../ledger/time/sysvars.ts';
import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';

/** `getEpochInfo([config]?)`: where in its epoch the ledger is. */
export const getEpochInfo = defineMethod(
  'getEpochInfo',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    const { slot, blockHeight } = readHead(node, config);
    return {
      absoluteSlot: slot,
      blockHeight,
      epoch: Math.floor(slot / EPOCH_SLOTS),
      slotIndex: slot % EPOCH_SLOTS,
      slotsInEpoch: EPOCH_SLOTS,
      transactionCount: node.ledger.transactionCount(),
    };
  },
);
