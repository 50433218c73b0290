import type { LedgerClient, SendOptions } from '../../chain/chain.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { usesDurableNonce } from '../../programs/durable-nonce.ts';
import type { Awaited, Outcome } from './confirmation.ts';

/** Upstream errors that leave open whether the transaction was accepted. */
const AMBIGUOUS: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_INVALID',
]);

/** How a transaction is handed in. */
interface HandInOptions extends SendOptions {
  /** Another node of the ledger to hand it in at, without the token; by default the ledger's own. */
  readonly at?: LedgerClient;
}

/**
 * Submits the transaction once. Returns its earlier outcome if the ledger had accepted the same bytes before,
 * otherwise null. What is known of it is always read from `node`.
 *
 * @throws {ServiceError} UPSTREAM_* if it is unknown whether it was accepted; TRANSACTION_EXPIRED,
 *   MISSING_AUTH_TOKEN, or the ledger's own refusal.
 */
export async function handIn(
  node: LedgerClient,
  transaction: Transaction,
  awaited: Awaited,
  { at = node, ...options }: HandInOptions = {},
): Promise<Outcome | null> {
  const { signature, token } = awaited;
  try {
    const answered = await at.sendTransaction(transaction.wire, at === node ? token : undefined, options);
    if (answered === signature) return null;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (AMBIGUOUS.has(error.code)) throw unknownOutcome(error.code, signature, error);
    // Another node may be behind, or of another network, and a nonce may be good from the next slot on.
    const mayStillLand = at !== node || usesDurableNonce(transaction);
    return await earlierOutcome(error, node, awaited, mayStillLand);
  }
  throw unknownOutcome('UPSTREAM_INVALID', signature, undefined);
}

/**
 * Interprets a refusal of a transaction that may have been sent before: one the ledger already knows is not a
 * failure, and its blockhash may have expired since it landed.
 *
 * @throws {ServiceError} TRANSACTION_EXPIRED; MISSING_AUTH_TOKEN if only a token would tell; `refusal` itself
 *   if it concerns the transaction.
 */
async function earlierOutcome(
  refusal: ServiceError,
  node: LedgerClient,
  awaited: Awaited,
  mayStillLand: boolean,
): Promise<Outcome> {
  const { reason } = refusal.context;
  if (reason !== 'AlreadyProcessed' && reason !== 'BlockhashNotFound') throw refusal;
  const status = await node.signatureStatus(awaited.signature, awaited.token);
  if (status !== null) return { kind: 'landed', status };
  if (reason === 'AlreadyProcessed') return { kind: 'open' };
  if (awaited.isBlind) throw hiddenOutcome(awaited.signature, refusal);
  if (mayStillLand) throw refusal;
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
