import { contextConfig } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/** `getBalance([address, config?])`: lamports; 0 for an absent account. */
export const getBalance = defineMethod(
  'getBalance',
  { required: [string], optional: [contextConfig] },
  (node, text, config) => {
    const address = verifyAddress(text);
    const { slot } = readHead(node, config);
    return inContext(node, slot, node.ledger.getAccount(address)?.lamports ?? 0n);
  },
);
