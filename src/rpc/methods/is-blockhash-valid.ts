import { invalidParams } from '../errors.ts';
import { contextConfig } from '../params/configs.ts';
import { findHashFault } from '../params/keys.ts';
import { string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/**
 * `isBlockhashValid([blockhash, config?])`: whether a transaction with this blockhash would be accepted now.
 */
export const isBlockhashValid = defineMethod(
  'isBlockhashValid',
  { required: [string], optional: [contextConfig] },
  (node, blockhash, config) => {
    const fault = findHashFault(blockhash);
    if (fault !== undefined) throw invalidParams(fault);
    const { slot } = readHead(node, config);
    return inContext(node, slot, node.ledger.isBlockhashValid(blockhash));
  },
);
