import type { TransactionStatus } from '../../ledger/ledger.ts';
import { invalidParams } from '../errors.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { verifySignature } from '../params/keys.ts';
import { bool, sequence, string } from '../params/primitives.ts';
import { required, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext } from '../rpc-node.ts';
import { showStatus } from '../transactions/transaction-status.ts';

/** Most signatures per call (Agave `MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS`). */
const SIGNATURES_MAX = 256;

/** How many slots a status is found without a search of the history (Agave `MAX_RECENT_BLOCKHASHES`). */
const RECENT_SLOTS = 300;

/** Agave `RpcSignatureStatusConfig`. */
const signatureStatusConfig = struct('RpcSignatureStatusConfig', {
  searchTransactionHistory: required(bool),
});

/** `getSignatureStatuses([signatures, config?])`: the outcome of each transaction; null for unknown ones. */
export const getSignatureStatuses = defineMethod(
  'getSignatureStatuses',
  { required: [sequence(string)], optional: [signatureStatusConfig] },
  (node, texts, config) => {
    if (texts.length > SIGNATURES_MAX) {
      throw invalidParams(`Too many inputs provided; max ${SIGNATURES_MAX}`);
    }
    const signatures = texts.map(verifySignature);
    const { slot } = node.ledger.head();
    const oldestSlot = config?.searchTransactionHistory === true ? 0 : slot - RECENT_SLOTS;
    const value = signatures.map((signature) => {
      const status = node.ledger.signatureStatus(signature);
      return status === null || status.slot < oldestSlot ? null : showSignatureStatus(status);
    });
    return inContext(node, slot, value);
  },
);

/** Blocks are final at once. Agave expresses that by null confirmations. */
function showSignatureStatus({ err, slot }: TransactionStatus): JsonOutput {
  return { confirmationStatus: 'finalized', confirmations: null, err, slot, status: showStatus(err) };
}
