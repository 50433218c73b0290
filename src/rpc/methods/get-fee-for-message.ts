import { contextConfig } from '../params/configs.ts';
import { string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { assertSaneMessage, messageFee } from '../transactions/message-fee.ts';
import { decodeMessageText } from '../wire/encoded-message.ts';

/**
 * `getFeeForMessage([message, config?])`: the fee of a base64 message in lamports; null if its blockhash is
 * unknown.
 */
export const getFeeForMessage = defineMethod(
  'getFeeForMessage',
  { required: [string], optional: [contextConfig] },
  (node, text, config) => {
    const message = decodeMessageText(text);
    const { slot } = readHead(node, config);
    assertSaneMessage(node.ledger, message, slot);
    return inContext(node, slot, messageFee(node.ledger, message));
  },
);
