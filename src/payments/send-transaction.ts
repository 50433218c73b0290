import { z } from 'zod';
import type { Chain, LedgerClient } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { isServiceError } from '../errors/service-error.ts';
import { arrival, type Arrival, ARRIVAL_MS_MAX, Journey } from './arrival/journey.ts';
import { notesMember, notesOf } from './building/built-transaction.ts';
import { requireRollup } from './cluster-support.ts';
import { cluster, flag } from './fields/fields.ts';
import { readTransactionText, transactionText } from './fields/transaction-field.ts';
import { defineOperation, type OperationResult } from './operation.ts';
import {
  awaitedOf,
  awaitOutcome,
  type Outcome,
  rejectFailed,
  requireBlockhash,
  requireSignatures,
  submit,
  WAIT_MS_MAX,
  type Waiting,
} from './send-transaction/submit.ts';

const output = z.object({
  signature: z.string().meta({ description: 'The signature the transaction is known by, base58.' }),
  sendTo: z.enum(['base', 'ephemeral']).meta({ description: 'The ledger it was sent to.' }),
  confirmed: z.boolean().meta({ description: 'Whether it has landed on the ledger successfully.' }),
  outcome: z.enum(['sent', 'confirmed', 'expired']).meta({
    description:
      'sent: sent, but not seen to land yet; confirmed: landed successfully; expired: it can no longer land.',
  }),
  confirmationRpcEndpoint: z.string().optional().meta({
    description:
      "Where to look up the signature: the rollup's endpoint; absent if it is not shown, and for the base ledger.",
  }),
  confirmationRequiresAuthToken: z
    .boolean()
    .meta({ description: 'Whether that lookup needs a bearer token.' }),
  arrival: arrival.optional().meta({
    description:
      'Whether the destination shows the payment; only with confirm, and absent if the ledger had this transaction before.',
  }),
  ...notesMember,
});

/**
 * Note for a repeated transaction. Two identical payments on one blockhash have the same bytes, but the
 * caller might count them as two payments.
 */
const ALREADY_ACCEPTED =
  'The ledger had already accepted this exact transaction, and executes it only once: nothing was moved again. If you meant a second identical payment, build it again.';

const RETRIES_MAX = 1_000;
const RETRIES_RULE = `must be a whole number from 0 to ${RETRIES_MAX}`;

const ENDPOINT_IGNORED =
  'sendRpcEndpoint was ignored, because the operator of this service does not allow its host. The transaction was sent to the ledger of the cluster.';

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    transactionBase64: transactionText('The signed transaction as base64.'),
    sendTo: z
      .enum(['base', 'ephemeral'], {
        error: 'must be "base" or "ephemeral": the sendTo of the built transaction',
      })
      .meta({ description: 'The ledger it was built for: the sendTo of the built transaction.' }),
    cluster: cluster(clusterNames).optional(),
    confirm: flag(
      `Wait until it has landed, at most ${WAIT_MS_MAX / 1_000} seconds, and then up to ${ARRIVAL_MS_MAX / 1_000} seconds until the destination shows it. Default: false.`,
    ).optional(),
    recentBlockhash: z
      .string({ error: 'must be a base58 text' })
      .max(44, { error: 'must be a base58 blockhash' })
      .optional()
      .meta({
        description: 'The blockhash that the builder reported. If set, it must match the transaction.',
      }),
    lastValidBlockHeight: z
      .int({ error: 'must be a whole number' })
      .min(0, { error: 'must not be negative' })
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ description: 'The block height that the builder reported: waiting ends when it has passed.' }),
    skipPreflight: flag(
      'Send it without a simulation first. A transaction that fails then costs its fee. Default: false.',
    ).optional(),
    maxRetries: z
      .int({ error: RETRIES_RULE })
      .min(0, { error: RETRIES_RULE })
      .max(RETRIES_MAX, { error: RETRIES_RULE })
      .optional()
      .meta({
        description:
          'How often the node resends it to the leaders. Default: until its blockhash has expired.',
      }),
    sendRpcEndpoint: z
      .string({ error: 'must be a URL' })
      .max(512, { error: 'must be a URL' })
      .optional()
      .meta({
        description:
          'The RPC endpoint to send it to. Ignored with a note unless the operator allows its host. It receives no bearer token, and the landing is checked on the ledger of the cluster.',
      }),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Submits a signed transaction to base or the rollup, once, without automatic retries. If the ledger does not
 * answer, the error contains the signature and says that the transaction may have been accepted.
 *
 * Errors: INVALID_TRANSACTION (also for a missing or wrong signature), TRANSACTION_TOO_LARGE,
 * INVALID_ARGUMENTS, CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, MISSING_AUTH_TOKEN, AUTH_REFUSED,
 * TRANSACTION_EXPIRED, TRANSACTION_FAILED, UPSTREAM_*.
 */
export function createSendTransaction(deps: { readonly clusters: Clusters; readonly waiting: Waiting }) {
  const { clusters, waiting } = deps;
  return defineOperation({
    name: 'sendTransaction',
    title: 'Send a signed transaction',
    description:
      'Sends a fully signed transaction to the ledger it was built for, and on request waits until it has landed. The signatures are checked first. It is sent once: if the outcome is unknown, look up the signature before you send anything again.',
    effect: 'send',
    input: inputOf(clusters.names),
    output,
    run: async (input, caller) => {
      const transaction = readTransactionText(input.transactionBase64);
      requireBlockhash(transaction, input.recentBlockhash);
      requireSignatures(transaction);
      const chain = clusters.resolve(input.cluster);
      const rollup = input.sendTo === 'base' ? null : requireRollup('sending to the rollup', chain, clusters);
      const named = endpointOf(input.sendRpcEndpoint, rollup, clusters);
      const node: LedgerClient = rollup ?? chain;
      const token = rollup === null ? undefined : caller.token;
      const awaited = awaitedOf(transaction, { chain, node, token }, input.lastValidBlockHeight ?? null);
      const { signature } = awaited;
      const journey =
        input.confirm === true
          ? await Journey.begin({
              chain,
              sendTo: input.sendTo,
              transaction,
              token: caller.token,
              payee: null,
              watchRecipients: chain.network === 'localnet',
            })
          : null;
      const { skipPreflight, maxRetries } = input;
      const at = typeof named === 'object' ? named : node;
      const earlier = await submit(node, transaction, awaited, { at, skipPreflight, maxRetries });
      const outcome: Outcome =
        earlier ?? (journey === null ? { kind: 'open' } : await awaitOutcome(node, awaited, waiting));
      rejectFailed(chain, transaction, signature, outcome);
      const end = journey === null || earlier !== null ? null : await journey.end(outcome, waiting);
      return present(input, signature, outcome, rollup, {
        end,
        notes: [
          ...(earlier === null ? [] : [ALREADY_ACCEPTED]),
          ...(named === 'ignored' ? [ENDPOINT_IGNORED] : []),
        ],
      });
    },
  });
}

/** Returns the node at the caller's endpoint; `own` for the cluster's endpoint. */
function endpointOf(
  endpoint: string | undefined,
  rollup: Chain['rollup'],
  clusters: Clusters,
): LedgerClient | 'own' | 'ignored' {
  if (endpoint === undefined) return 'own';
  if (!URL.canParse(endpoint)) return 'ignored';
  const own = rollup?.publicUrl ?? null;
  if (own !== null && new URL(endpoint).href === new URL(own).href) return 'own';
  try {
    return clusters.resolve(endpoint);
  } catch (error) {
    if (isServiceError(error, 'CLUSTER_NOT_ALLOWED')) return 'ignored';
    throw error;
  }
}

function present(
  { sendTo, confirm }: Input,
  signature: string,
  outcome: Outcome,
  rollup: Chain['rollup'],
  { end, notes }: { readonly end: Arrival | null; readonly notes: readonly string[] },
): OperationResult<Output> {
  const ledger = sendTo === 'base' ? 'base ledger' : 'rollup';
  const sentences = {
    landed: `Transaction ${signature} has landed successfully on the ${ledger}.`,
    expired: `Transaction ${signature} has not landed, and its block height has passed: it can no longer land. Build it again.`,
    open:
      confirm === true
        ? `Transaction ${signature} was sent to the ${ledger} and has not been seen to land yet. Look up the signature before you send anything again.`
        : `Transaction ${signature} was sent to the ${ledger}. The service did not wait for it to land.`,
  };
  const names = { landed: 'confirmed', expired: 'expired', open: 'sent' } as const;
  return {
    output: {
      signature,
      sendTo,
      confirmed: outcome.kind === 'landed',
      outcome: names[outcome.kind],
      ...(rollup === null || rollup.publicUrl === null ? {} : { confirmationRpcEndpoint: rollup.publicUrl }),
      confirmationRequiresAuthToken: rollup !== null && rollup.auth !== null,
      ...(end === null ? {} : { arrival: end }),
      ...notesOf(notes),
    },
    sentences: [
      'Sent the signed SPL transaction.',
      sentences[outcome.kind],
      ...(end === null || outcome.kind !== 'landed' ? [] : [end.message]),
      ...notes,
    ],
  };
}
