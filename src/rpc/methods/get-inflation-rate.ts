import { Float64 } from '../../json/json-value.ts';
import { defineMethod } from '../rpc-method.ts';

const ZERO = new Float64(0);

/** `getInflationRate()`: the inflation rate of this epoch, which is zero. */
export const getInflationRate = defineMethod('getInflationRate', { required: [], optional: [] }, (node) => ({
  epoch: Math.floor(node.ledger.head().slot / node.ledger.epochSlots),
  foundation: ZERO,
  total: ZERO,
  validator: ZERO,
}));
