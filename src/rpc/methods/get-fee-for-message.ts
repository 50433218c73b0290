import { contextConfig } from '../params/configs.ts';
import { string } from '../params/primitives.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';
import { assertSaneMessage, messageFee } from '../transactions/message-fee.ts';
import { decodeMessageText } from '../wire/encoded-message.ts';

/**
 * `getFeeForMessage([message, config?])`: the lamports a message in base64 would cost; null when its
 * blockhash is not known.
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
