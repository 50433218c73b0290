import type { Commitment } from '../../../solana/commitment.ts';
import { writeJson } from '../../../json/write-json.ts';
import { flattenedCommitment } from '../../params/configs.ts';
import { bool, string } from '../../params/primitives.ts';
import { optional, struct } from '../../params/struct.ts';
import { parseSignature } from '../keys.ts';
import { defineSubscription } from '../subscription-method.ts';
import { inSlot } from '../topic.ts';

/** Agave `RpcSignatureSubscribeConfig`. */
const signatureConfig = struct<{
  readonly commitment: Commitment | undefined;
  readonly enableReceivedNotification: boolean | undefined;
}>(
  'RpcSignatureSubscribeConfig',
  { commitment: flattenedCommitment, enableReceivedNotification: optional(bool) },
  { hasFlattened: true },
);

/**
 * `signatureSubscribe([signature, config?])`: reports once whether the transaction failed, immediately if it
 * has already landed, and then ends. With `enableReceivedNotification` it first reports that the transaction
 * was received. Like `getSignatureStatuses` it is open to anyone who knows the signature.
 */
export const signatureSubscribe = defineSubscription(
  'signatureSubscribe',
  { required: [string], optional: [signatureConfig] },
  ({ ledger }, text, config) => {
    const signature = parseSignature(text);
    const tellsReceived = config?.enableReceivedNotification ?? false;
    return {
      key: `signature ${signature} ${tellsReceived} ${config?.commitment ?? 'finalized'}`,
      notification: 'signatureNotification',
      sources: [{ kind: 'signature', of: signature }],
      endsWhenTold: true,
      isForAll: true,
      results(happening) {
        if (happening.kind !== 'transaction') return [];
        const { slot, record } = happening;
        const processed = inSlot(slot, writeJson({ err: record.err }));
        return tellsReceived ? [inSlot(slot, '"receivedSignature"'), processed] : [processed];
      },
      past() {
        const record = ledger.getTransaction(signature);
        return record && { kind: 'transaction', slot: record.slot, record, changes: [] };
      },
    };
  },
);
