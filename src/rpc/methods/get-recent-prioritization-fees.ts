import { invalidParams } from '../errors.ts';
import { verifyAddress } from '../params/keys.ts';
import { sequence, string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { recentPrices } from '../transactions/prioritization-fees.ts';

/** Most accounts per call (`MAX_TX_ACCOUNT_LOCKS`). */
const ACCOUNTS_MAX = 128;

/**
 * `getRecentPrioritizationFees([accounts]?)`: the price of a compute unit in recent slots, micro-lamports,
 * for transactions that write to the accounts.
 */
export const getRecentPrioritizationFees = defineMethod(
  'getRecentPrioritizationFees',
  { required: [], optional: [sequence(string)] },
  (node, texts = []) => {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    const prices = recentPrices(node.ledger, texts.map(verifyAddress));
    return prices.map(({ slot, unitPrice }) => ({ prioritizationFee: unitPrice, slot }));
  },
);
