import type { Commitment } from '../../../solana/commitment.ts';
import { invalidParams } from '../../errors.ts';
import { writeJson } from '../../../json/write-json.ts';
import { flattenedCommitment } from '../../params/configs.ts';
import { sequence, string } from '../../params/primitives.ts';
import { struct } from '../../params/struct.ts';
import { tagged } from '../../params/tagged.ts';
import { parseAddress } from '../keys.ts';
import { defineSubscription } from '../subscription-method.ts';
import { inSlot, type Source } from '../topic.ts';

/** Agave `RpcTransactionLogsFilter`. */
const logsFilter = tagged<'all' | 'allWithVotes' | readonly string[]>({
  all: { unit: 'all' },
  allWithVotes: { unit: 'allWithVotes' },
  mentions: { content: sequence(string) },
});

/** Agave `RpcTransactionLogsConfig`. */
const logsConfig = struct<{ readonly commitment: Commitment | undefined }>(
  'RpcTransactionLogsConfig',
  { commitment: flattenedCommitment },
  { hasFlattened: true },
);

/**
 * `logsSubscribe([filter, config?])`: the logs of all transactions, or of those that name one address among
 * all their keys. There are no votes on this ledger, so `allWithVotes` equals `all`.
 */
export const logsSubscribe = defineSubscription(
  'logsSubscribe',
  { required: [logsFilter], optional: [logsConfig] },
  (_node, wanted, config) => {
    const of = typeof wanted === 'string' ? wanted : onlyAddress(wanted);
    return {
      key: `logs ${of} ${config?.commitment ?? 'finalized'}`,
      notification: 'logsNotification',
      sources: [typeof wanted === 'string' ? EVERY_TRANSACTION : { kind: 'mention', of }],
      results(happening) {
        if (happening.kind !== 'transaction') return [];
        const { signature, err, logs } = happening.record;
        return [inSlot(happening.slot, writeJson({ signature, err, logs }))];
      },
    };
  },
);

const EVERY_TRANSACTION: Source = { kind: 'transaction', of: '' };

function onlyAddress(mentions: readonly string[]): string {
  const [only] = mentions;
  if (only === undefined || mentions.length > 1) {
    throw invalidParams('Invalid Request: Only 1 address supported');
  }
  return parseAddress(only, 'mentions');
}
