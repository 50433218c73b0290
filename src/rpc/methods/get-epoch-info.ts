import type { BlockPlace } from '../../ledger/block.ts';
import type { JsonOutputObject } from '../../json/json-value.ts';
import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readBlockAt, type RpcNode } from '../rpc-node.ts';

/** `getEpochInfo([config]?)`: the position of the slot of `getSlot` in its epoch. */
export const getEpochInfo = defineMethod(
  'getEpochInfo',
  { required: [], optional: [contextConfig] },
  (node, config) => showEpochInfo(node, readBlockAt(node, config)),
);

/** The position of a slot in its epoch (Agave `EpochInfo`). */
export function showEpochInfo({ ledger }: RpcNode, { slot, blockHeight }: BlockPlace): JsonOutputObject {
  return {
    absoluteSlot: slot,
    blockHeight,
    epoch: Math.floor(slot / ledger.epochSlots),
    slotIndex: slot % ledger.epochSlots,
    slotsInEpoch: ledger.epochSlots,
    transactionCount: ledger.transactionCount(),
  };
}
