import { invalidParams } from '../errors.ts';
import { u64 } from '../params/primitives.ts';
import { defineTupleMethod } from '../rpc-method.ts';

/** Most slots of one answer (Agave `MAX_GET_SLOT_LEADERS`). */
const SLOTS_MAX = 5_000;

/** `getSlotLeaders([first, limit])`: who makes the blocks from `first` on. This node makes all there will ever be. */
export const getSlotLeaders = defineTupleMethod('getSlotLeaders', [u64, u64], (node, _first, limit) => {
  if (limit > SLOTS_MAX) throw invalidParams(`Invalid limit; max ${SLOTS_MAX}`);
  return Array.from({ length: Number(limit) }, () => node.ledger.identity);
});
