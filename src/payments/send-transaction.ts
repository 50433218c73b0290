import { z } from 'zod';
import type { Chain, LedgerClient } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { Transaction } from '../solana/transaction.ts';
import { readSignatures } from './explain/signatures.ts';
import { cluster, flag } from './fields/fields.ts';
import type { Operation, OperationResult } from './operation.ts';
import { requireRollup } from './clusters/rollup-needed.ts';
import {
  awaitOutcome,
  type Awaited,
  WAIT_MS_MAX,
  type Outcome,
  type Waiting,
} from './send-transaction/confirmation.ts';
import { readTransactionText, transactionText } from './fields/transaction-field.ts';
import { describeSimulationError } from './simulation/trial-error.ts';
import { programsOf } from './simulation/trial.ts';

const output = z.object({
  signature: z.string().meta({ description: 'The signature the transaction is known by, base58.' }),
  sendTo: z.enum(['base', 'ephemeral']).meta({ description: 'The ledger it was handed to.' }),
  confirmed: z.boolean().meta({ description: 'Whether the ledger has taken it in, successfully.' }),
  outcome: z.enum(['sent', 'confirmed', 'expired']).meta({
    description:
      'sent: handed in, not seen to have landed yet; confirmed: landed successfully; expired: it can no longer land.',
  }),
  confirmationRpcEndpoint: z.string().optional().meta({
    description:
      "Where to look the signature up: the rollup's endpoint; absent when it is not shown, and for the base ledger.",
  }),
  confirmationRequiresAuthToken: z
    .boolean()
    .meta({ description: 'Whether looking it up there takes a bearer token.' }),
});

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
      `Wait until it has landed, at most ${WAIT_MS_MAX / 1_000} seconds. Default: false.`,
    ).optional(),
    recentBlockhash: z
      .string({ error: 'must be a base58 text' })
      .max(44, { error: 'must be a base58 blockhash' })
      .optional()
      .meta({
        description:
          'The blockhash that the builder reported. When given it must be that of the transaction.',
      }),
    lastValidBlockHeight: z
      .int({ error: 'must be a whole number' })
      .min(0, { error: 'must not be negative' })
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ description: 'The block height that the builder reported: waiting ends when it has passed.' }),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

/**
 * Hands a signed transaction to the base ledger or the rollup, once. It is never repeated by itself: when the ledger
 * does not answer, the error says that the transaction may have been taken and names its signature.
 *
 * Errors: INVALID_TRANSACTION (also for a missing or wrong signature), TRANSACTION_TOO_LARGE, INVALID_ARGUMENTS,
 * CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, MISSING_AUTH_TOKEN, AUTH_REFUSED, TRANSACTION_EXPIRED, TRANSACTION_FAILED, UPSTREAM_*.
 */
export function createSendTransaction(deps: {
  readonly clusters: Clusters;
  readonly waiting: Waiting;
}): Operation<Input, Output> {
  const { clusters, waiting } = deps;
  return {
    name: 'sendTransaction',
    title: 'Send a signed transaction',
    description:
      'Hands a fully signed transaction to the ledger it was built for, and on request waits until it has landed. The signatures are checked first. It is sent once: if the outcome is unknown, look the signature up before sending anything again.',
    effect: 'send',
    input: inputOf(clusters.names) as z.ZodType<Input>,
    output,
    run: async (input, caller) => {
      const transaction = readTransactionText(input.transactionBase64);
      requireBlockhash(transaction, input.recentBlockhash);
      requireSignatures(transaction);
      const chain = clusters.resolve(input.cluster);
      const rollup = input.sendTo === 'base' ? null : requireRollup('sending to the rollup', chain, clusters);
      const node: LedgerClient = rollup ?? chain;
      const token = rollup === null ? undefined : caller.token;
      const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
      const awaited = {
        signature,
        lastValidBlockHeight: input.lastValidBlockHeight ?? null,
        token,
        isBlind: rollup?.hidesStatuses === true && token === undefined,
      };
      const earlier = await send(node, transaction, awaited);
      const outcome: Outcome =
        earlier ?? (input.confirm === true ? await awaitOutcome(node, awaited, waiting) : { kind: 'open' });
      refuseFailed(chain, transaction, signature, outcome);
      return present(input, signature, outcome, rollup);
    },
  };
}

function requireBlockhash({ wire, blockhashAt }: Transaction, expected: string | undefined): void {
  const found = encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32));
  if (expected === undefined || expected === found) return;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `recentBlockhash is ${expected}, and the transaction is built on ${found}; pass what was returned with it, or leave it out`,
    { field: 'recentBlockhash' },
  );
}

function requireSignatures(transaction: Transaction): void {
  const faulty = readSignatures(transaction).filter(({ signature }) => signature !== 'valid');
  if (faulty.length === 0) return;
  const faults = faulty.map(({ address, signature }) => `that of ${address} is ${signature}`);
  throw new ServiceError(
    'INVALID_TRANSACTION',
    `transactionBase64 is not fully signed: of its signatures ${faults.join(', ')}. Sign the transaction unchanged with every required signer.`,
    { field: 'transactionBase64', signers: faulty.map(({ address }) => address) },
  );
}

/** Upstream errors after which nobody knows whether the transaction was taken. */
const AMBIGUOUS: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_INVALID',
]);

/** Hands the transaction in. What had become of it earlier, when the ledger had taken the same bytes before; else null. */
async function send(node: LedgerClient, { wire }: Transaction, awaited: Awaited): Promise<Outcome | null> {
  const { signature, token } = awaited;
  try {
    const answered = await node.sendTransaction(wire, token);
    if (answered === signature) return null;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (AMBIGUOUS.has(error.code)) throw unknownOutcome(error.code, signature, error);
    return await earlierOutcome(error, node, awaited);
  }
  throw unknownOutcome('UPSTREAM_INVALID', signature, undefined);
}

/**
 * What a refusal means for a transaction that may have been sent before: one the ledger knows already is no failure,
 * and its blockhash may have become too old since it landed.
 *
 * @throws {ServiceError} TRANSACTION_EXPIRED, MISSING_AUTH_TOKEN where only a token would tell, or `refusal` itself when it is about the transaction.
 */
async function earlierOutcome(refusal: ServiceError, node: LedgerClient, awaited: Awaited): Promise<Outcome> {
  const { reason } = refusal.context;
  if (reason !== 'AlreadyProcessed' && reason !== 'BlockhashNotFound') throw refusal;
  const status = await node.signatureStatus(awaited.signature, awaited.token);
  if (status !== null) return { kind: 'landed', status };
  if (reason === 'AlreadyProcessed') return { kind: 'open' };
  if (awaited.isBlind) throw hiddenOutcome(awaited.signature, refusal);
  throw new ServiceError(
    'TRANSACTION_EXPIRED',
    `The ledger does not know the blockhash of transaction ${awaited.signature}: it is too old, or of another cluster. The transaction has not landed and cannot land any more; build it anew, sign and send that.`,
    { signature: awaited.signature, outcome: 'expired' },
    { cause: refusal },
  );
}

const hiddenOutcome = (signature: string, cause: ServiceError): ServiceError =>
  new ServiceError(
    'MISSING_AUTH_TOKEN',
    `The rollup does not know the blockhash of transaction ${signature} any more, and tells its parties alone whether it has landed. Send the same signed bytes again with the bearer token of one of them before you build anything anew, or it may be paid twice.`,
    { signature, outcome: 'unknown' },
    { cause },
  );

const unknownOutcome = (code: ErrorCode, signature: string, cause: unknown): ServiceError =>
  new ServiceError(
    code,
    `The ledger gave no usable answer, so the transaction may or may not have been taken. Look up its signature ${signature} before you send anything again; the very same signed bytes may be sent again without harm, a newly built transaction may pay twice.`,
    { signature, outcome: 'unknown' },
    { cause },
  );

function refuseFailed(chain: Chain, transaction: Transaction, signature: string, outcome: Outcome): void {
  if (outcome.kind !== 'landed' || outcome.status.err === null) return;
  const { message } = describeSimulationError({
    err: outcome.status.err,
    logs: [],
    programs: programsOf(transaction),
    layout: chain.layout,
  });
  throw new ServiceError(
    'TRANSACTION_FAILED',
    `The transaction ${signature} has landed in slot ${outcome.status.slot} and failed, so that only its fee was charged. ${message}`,
    { signature, slot: outcome.status.slot, reason: message },
  );
}

function present(
  { sendTo, confirm }: Input,
  signature: string,
  outcome: Outcome,
  rollup: Chain['rollup'],
): OperationResult<Output> {
  const ledger = sendTo === 'base' ? 'base ledger' : 'rollup';
  const sentences = {
    landed: `Transaction ${signature} has landed successfully on the ${ledger}.`,
    expired: `Transaction ${signature} has not landed, and its block height has passed: it can no longer land. Build it anew.`,
    open:
      confirm === true
        ? `Transaction ${signature} was handed to the ${ledger} and has not been seen to land yet. Look the signature up before you send anything again.`
        : `Transaction ${signature} was handed to the ${ledger}; it has not been waited for.`,
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
    },
    sentences: ['Sent the signed SPL transaction.', sentences[outcome.kind]],
  };
}
