import { invalidParams } from '../../errors.ts';
import { u64 } from '../../params/primitives.ts';
import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/** Default and maximum number of transactions per call (Surfpool). */
const LIMIT_DEFAULT = 50n;
const LIMIT_MAX = 1_000n;

/** `surfnet_getLocalSignatures([limit?])`: the latest transactions with their logs, newest first. */
export const surfnetGetLocalSignatures = defineMethod(
  'surfnet_getLocalSignatures',
  { required: [], optional: [u64] },
  (node, limit = LIMIT_DEFAULT) => {
    const operator = operatorOf(node);
    if (limit > LIMIT_MAX) throw invalidParams(`Invalid limit; max ${LIMIT_MAX}`);
    const records = operator.newestTransactions(Number(limit));
    const value = records.map(({ signature, err, logs }) => ({ signature, err, logs }));
    return inContext(node, node.ledger.head().slot, value);
  },
);
