import type { Chain, LedgerClient, SendOptions, SignatureStatus } from '../../chain/chain.ts';
import { FINAL_BLOCKS, ROLLUP_FINAL_BLOCKS } from '../../chain/final-blocks.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { usesDurableNonce } from '../../programs/system.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { readSignatures } from '../explain/call.ts';
import { describeSimulationError } from '../simulation/simulation-error.ts';
import { programsOf } from '../simulation/with-simulation.ts';

/** Clock and timer for waiting, injected for tests. */
export interface Waiting {
  readonly clock: Clock;
  sleep(ms: number): Promise<unknown>;
}

/** The outcome of a submitted transaction. `open` means it is not known yet. */
export type Outcome =
  | { readonly kind: 'landed'; readonly status: SignatureStatus }
  | { readonly kind: 'expired' }
  | { readonly kind: 'open' };

/** Maximum wait for a confirmation, in ms. The network gives up after about 60 to 90 seconds. */
export const WAIT_MS_MAX = 30_000;

const POLL_MS = 500;

/** A transaction to wait for. */
export interface Awaited {
  readonly signature: string;
  /** The last block height at which the transaction can land; null if unknown. */
  readonly lastValidBlockHeight: number | null;
  readonly token: string | undefined;
  /** Whether the ledger may hide landed transactions. A missing status then proves nothing. */
  readonly isBlind: boolean;
  /** Number of blocks after the last valid height until a missing status proves expiry. */
  readonly finalBlocks: number;
}

/**
 * Describes how to look up a signed transaction at its node.
 *
 * @param lastValidBlockHeight as reported by the caller; ignored for a durable nonce, which does not expire
 *   by block height.
 */
export function awaitedOf(
  transaction: Transaction,
  {
    chain,
    node,
    token,
  }: { readonly chain: Chain; readonly node: LedgerClient; readonly token: string | undefined },
  lastValidBlockHeight: number | null,
): Awaited {
  return {
    signature: encodeBase58(transaction.signatures[0] as Uint8Array),
    lastValidBlockHeight: usesDurableNonce(transaction) ? null : lastValidBlockHeight,
    token,
    isBlind: node === chain.rollup && chain.rollup.hidesStatuses === true && token === undefined,
    finalBlocks: node === chain.rollup ? ROLLUP_FINAL_BLOCKS : FINAL_BLOCKS,
  };
}

/** Waits up to {@link WAIT_MS_MAX} for a transaction to land or expire. Retries failed reads. */
export async function awaitOutcome(node: LedgerClient, awaited: Awaited, waiting: Waiting): Promise<Outcome> {
  const known = async (): Promise<Outcome | null> => {
    const outcome = await readOutcome(node, awaited);
    return outcome.kind === 'open' ? null : outcome;
  };
  return (await pollUntil(known, WAIT_MS_MAX, waiting)) ?? { kind: 'open' };
}

/** Repeats a read until it returns a value, for up to `waitMs`; null after that. */
export async function pollUntil<T>(
  read: () => Promise<T | null>,
  waitMs: number,
  { clock, sleep }: Waiting,
): Promise<T | null> {
  const until = clock.now() + waitMs;
  for (;;) {
    const answer = await read();
    if (answer !== null || clock.now() + POLL_MS > until) return answer;
    await sleep(POLL_MS);
  }
}

async function readOutcome(node: LedgerClient, awaited: Awaited): Promise<Outcome> {
  const { signature, token, isBlind } = awaited;
  try {
    const status = await node.signatureStatus(signature, token);
    if (status !== null) return { kind: 'landed', status };
    if (isBlind || !(await isOver(node, awaited))) return { kind: 'open' };
    // The transaction may have landed between the two reads.
    const last = await node.signatureStatus(signature, token);
    return last === null ? { kind: 'expired' } : { kind: 'landed', status: last };
  } catch (error) {
    if (isServiceError(error)) return { kind: 'open' };
    throw error;
  }
}

/** Whether the last block that could contain a transaction is final, also for a node that is behind. */
async function isOver(
  node: LedgerClient,
  { lastValidBlockHeight, token, finalBlocks }: Omit<Awaited, 'signature' | 'isBlind'>,
): Promise<boolean> {
  return (
    lastValidBlockHeight !== null && (await node.blockHeight(token)) > lastValidBlockHeight + finalBlocks
  );
}

/**
 * Rejects a transaction whose blockhash differs from the caller's.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS.
 */
export function requireBlockhash({ wire, blockhashAt }: Transaction, expected: string | undefined): void {
  const found = encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32));
  if (expected === undefined || expected === found) return;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `recentBlockhash is ${expected}, but the transaction is built on ${found}; pass the value that was returned with it, or leave it out`,
    { field: 'recentBlockhash' },
  );
}

/**
 * Rejects a transaction with a missing or wrong signature.
 *
 * @throws {ServiceError} INVALID_TRANSACTION.
 */
export function requireSignatures(transaction: Transaction): void {
  const faulty = readSignatures(transaction).filter(({ signature }) => signature !== 'valid');
  if (faulty.length === 0) return;
  const faults = faulty.map(({ address, signature }) => `the signature of ${address} is ${signature}`);
  throw new ServiceError(
    'INVALID_TRANSACTION',
    `transactionBase64 is not fully signed: ${faults.join(', ')}. Sign the transaction unchanged with every required signer.`,
    { field: 'transactionBase64', signers: faulty.map(({ address }) => address) },
  );
}

/** Upstream errors that leave open whether the transaction was accepted. */
const AMBIGUOUS: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_INVALID',
]);

interface SubmitOptions extends SendOptions {
  /** Another node to send to, without the token. Default: the ledger's own. */
  readonly at?: LedgerClient;
}

/**
 * Submits the transaction once. Returns its earlier outcome if the ledger had already accepted the same
 * bytes, otherwise null. The outcome is always read from `node`.
 *
 * @throws {ServiceError} UPSTREAM_* if it is unknown whether it was accepted; TRANSACTION_EXPIRED,
 *   MISSING_AUTH_TOKEN, or the ledger's own error.
 */
export async function submit(
  node: LedgerClient,
  transaction: Transaction,
  awaited: Awaited,
  { at = node, ...options }: SubmitOptions = {},
): Promise<Outcome | null> {
  const { signature, token } = awaited;
  try {
    const answered = await at.sendTransaction(transaction.wire, at === node ? token : undefined, options);
    if (answered === signature) return null;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (AMBIGUOUS.has(error.code)) throw unknownOutcome(error.code, signature, error);
    // Another node may lag behind or belong to another network, and a nonce may become valid in the next
    // slot.
    const mayStillLand = at !== node || usesDurableNonce(transaction);
    return await earlierOutcome(error, node, awaited, mayStillLand);
  }
  throw unknownOutcome('UPSTREAM_INVALID', signature, undefined);
}

/**
 * Interprets the rejection of a transaction that may have been sent before. A transaction that already landed
 * is not a failure, even if its blockhash has since expired.
 *
 * @throws {ServiceError} TRANSACTION_EXPIRED; MISSING_AUTH_TOKEN if the outcome needs a token; `error`
 *   itself if it concerns the transaction.
 */
async function earlierOutcome(
  error: ServiceError,
  node: LedgerClient,
  awaited: Awaited,
  mayStillLand: boolean,
): Promise<Outcome> {
  const { reason } = error.context;
  if (reason !== 'AlreadyProcessed' && reason !== 'BlockhashNotFound') throw error;
  const status = await node.signatureStatus(awaited.signature, awaited.token);
  if (status !== null) return { kind: 'landed', status };
  if (reason === 'AlreadyProcessed') return { kind: 'open' };
  if (awaited.isBlind) throw hiddenOutcome(awaited.signature, error);
  if (mayStillLand) throw error;
  // A node that is behind does not know a new blockhash.
  if (!(await isOver(node, awaited))) throw unprovenExpiry(awaited.signature, error);
  throw new ServiceError(
    'TRANSACTION_EXPIRED',
    `The blockhash of transaction ${awaited.signature} is not valid on the ledger: it is too old, or belongs to another cluster. The transaction has not landed and can no longer land. Build it again, then sign and send the new one.`,
    { signature: awaited.signature, outcome: 'expired' },
    { cause: error },
  );
}

const hiddenOutcome = (signature: string, cause: ServiceError): ServiceError =>
  new ServiceError(
    'MISSING_AUTH_TOKEN',
    `The blockhash of transaction ${signature} is no longer valid on the rollup, and only its parties can see whether it has landed. Send the same signed bytes again with the bearer token of one of them before you build a new transaction, or you may pay twice.`,
    { signature, outcome: 'unknown' },
    { cause },
  );

const unprovenExpiry = (signature: string, cause: unknown): ServiceError =>
  new ServiceError(
    'UPSTREAM_UNAVAILABLE',
    `The ledger does not know the blockhash of transaction ${signature}: it is too old, belongs to another cluster, or the node is behind. Send the same signed bytes again with lastValidBlockHeight, which shows whether the transaction can still land. Building a new one before that can pay twice.`,
    { signature, outcome: 'unknown' },
    { cause },
  );

const unknownOutcome = (code: ErrorCode, signature: string, cause: unknown): ServiceError =>
  new ServiceError(
    code,
    `The ledger returned no usable answer, so the transaction may or may not have been accepted. Look up its signature ${signature} before you send anything again. Sending the same signed bytes again is safe; a newly built transaction may pay twice.`,
    { signature, outcome: 'unknown' },
    { cause },
  );

/**
 * Rejects a transaction that landed but failed.
 *
 * @throws {ServiceError} TRANSACTION_FAILED.
 */
export function rejectFailed(
  chain: Chain,
  transaction: Transaction,
  signature: string,
  outcome: Outcome,
): void {
  if (outcome.kind !== 'landed' || outcome.status.err === null) return;
  const { message } = describeSimulationError({
    err: outcome.status.err,
    logs: [],
    programs: programsOf(transaction),
    layout: chain.layout,
  });
  throw new ServiceError(
    'TRANSACTION_FAILED',
    `The transaction ${signature} has landed in slot ${outcome.status.slot} and failed; only its fee was charged. ${message}`,
    { signature, slot: outcome.status.slot, reason: message },
  );
}
