import type { SignatureDictionary, Transaction as KitTransaction, TransactionSigner } from '@solana/kit';
import type { Chain, LedgerClient } from '../chain/chain.ts';
import { PaymentsError } from '../client/payments-error.ts';
import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import type { Journey } from '../payments/arrival/journey.ts';
import {
  type Awaited,
  awaitedOf,
  awaitOutcome,
  rejectFailed,
  requireSignatures,
  submit,
  type Waiting,
} from '../payments/send-transaction/submit.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { decodeTransaction, messageOf, type Transaction } from '../solana/transaction.ts';
import type { Receipt } from './payments.ts';

/** Where a transaction goes, and how long it is waited for. */
interface Delivery {
  readonly chain: Chain;
  /** The base chain itself, or its rollup. */
  readonly node: LedgerClient;
  /** The bearer token of the rollup. */
  readonly token: string | undefined;
  /** The last block height at which it can land. */
  readonly lastHeight: number;
  /** What is to follow its landing. */
  readonly journey: Journey;
  readonly waiting: Waiting;
}

/**
 * Sends signed bytes for the first time, and waits at most 30 s until they have landed or expired, then at
 * most 20 s until their destination shows them. An unanswered request is no error: the bytes may have been
 * taken.
 *
 * @throws {ServiceError} INVALID_TRANSACTION for a signature that is wrong or missing; TRANSACTION_FAILED,
 *   TRANSACTION_EXPIRED, MISSING_AUTH_TOKEN, AUTH_REFUSED; UPSTREAM_REJECTED, UPSTREAM_RATE_LIMITED before
 *   anything was taken; {PaymentsError} ALREADY_SIGNED.
 */
export async function deliver(
  wire: Uint8Array,
  { chain, node, token, lastHeight, journey, waiting }: Delivery,
): Promise<Pick<Receipt, 'signature' | 'outcome' | 'message'>> {
  const transaction = decodeTransaction(wire);
  requireSignatures(transaction);
  const awaited = awaitedOf(transaction, { chain, node, token }, lastHeight);
  const { signature } = awaited;
  await handOver(node, transaction, awaited);
  const outcome = await awaitOutcome(node, awaited, waiting);
  rejectFailed(chain, transaction, signature, outcome);
  return { signature, ...(await journey.end(outcome, waiting)) };
}

/** The same bytes once more where no answer came: a ledger takes them once, and they may not have arrived. */
async function handOver(node: LedgerClient, transaction: Transaction, awaited: Awaited): Promise<void> {
  try {
    if ((await submit(node, transaction, awaited)) !== null) throw paidBefore(awaited.signature);
  } catch (error) {
    if (!isServiceError(error) || !isUnanswered(error)) throw error;
    await submit(node, transaction, awaited).catch(forgive);
  }
}

const isUnanswered = ({ code, context }: ServiceError): boolean =>
  code.startsWith('UPSTREAM_') && context['outcome'] === 'unknown';

/** A refusal of bytes that may have been taken says nothing about them: the ledger is asked for them next. */
function forgive(error: unknown): void {
  if (!isServiceError(error)) throw error;
}

/** It may be that of another client of the wallet, which asked for the same on the same blockhash. */
const paidBefore = (signature: string): PaymentsError =>
  new PaymentsError(
    'ALREADY_SIGNED',
    `The ledger had transaction ${signature} before it was handed in: it may be an equal payment by another client of this wallet, and this one may have paid nothing. Look the signature up before you pay again.`,
    { details: { signature, outcome: 'unknown' } },
  );

/** Blocks for which a base ledger takes a blockhash after its own (Agave `MAX_PROCESSING_AGE`). */
const PROCESSING_AGE_MAX = 150;

/**
 * Blocks by which a blockhash that is good may be newer than what a node tells: `latestBlockhash` may be 5 s
 * old, 100 blocks of 50 ms, and the newest block is up to 32 ahead of the confirmed one.
 */
const AHEAD_MAX = 150;

/** Where a ledger is, and for how long bytes can land on it that are signed now. */
interface Heights {
  /** Its block height now. */
  readonly height: number;
  /** A block height after which nothing can land any more whose blockhash was good before the call. */
  readonly lastHeight: number;
}

/**
 * Asks the ledger itself: the service's word could make a payment look expired that can still land. So could
 * that of its newest blockhash alone, which the service's may be ahead of. A rollup takes blockhashes for
 * longer than a base ledger, and tells so by its newest one.
 *
 * @throws {ServiceError} UPSTREAM_*, AUTH_REFUSED.
 */
export async function readHeights(node: LedgerClient, token: string | undefined): Promise<Heights> {
  const [latest, height] = await Promise.all([node.latestBlockhash(token), node.blockHeight(token)]);
  const lastHeight = Math.max(latest.lastValidBlockHeight, height + PROCESSING_AGE_MAX) + AHEAD_MAX;
  return { height, lastHeight };
}

/** A transaction as the signers of kit take it. */
type Signable = Parameters<
  Extract<TransactionSigner, { signTransactions: unknown }>['signTransactions']
>[0][number];

/**
 * Has the signers sign exactly these bytes.
 *
 * @param lastValidBlockHeight told to wallets that show it.
 * @throws {TypeError} if a signer can only sign and send at once, or signs other bytes.
 * @returns the bytes with the signatures put in. Whether they are right is checked before they are sent.
 */
export async function signWire(
  bytes: Uint8Array,
  signers: readonly TransactionSigner[],
  lifetime: { readonly blockhash: string; readonly lastValidBlockHeight: bigint },
): Promise<Uint8Array> {
  const transaction = decodeTransaction(bytes);
  const required = new Set<string>(requiredSigners(transaction));
  const wire = Uint8Array.from(transaction.wire);
  for (const signer of signers) {
    if (!required.has(signer.address)) continue;
    const message = Uint8Array.from(messageOf({ ...transaction, wire }));
    const signable = {
      messageBytes: message,
      signatures: signaturesOf(decodeTransaction(wire)),
      lifetimeConstraint: lifetime,
    };
    const signatures = await signaturesFrom(signer, signable as unknown as Signable, transaction);
    const signature = signatures[signer.address];
    const index = transaction.staticKeys.findIndex((key: string) => key === signer.address);
    if (signature != null) wire.set(signature, transaction.signaturesAt + index * SIGNATURE_BYTES);
  }
  return wire;
}

const requiredSigners = ({ staticKeys, requiredSignatures }: Transaction) =>
  staticKeys.slice(0, requiredSignatures);

const signaturesOf = (transaction: Transaction): Record<string, Uint8Array | null> =>
  Object.fromEntries(
    requiredSigners(transaction).map((address, index) => {
      const signature = transaction.signatures[index];
      return [address, signature?.some((byte) => byte !== 0) === true ? signature : null];
    }),
  );

async function signaturesFrom(
  signer: TransactionSigner,
  signable: Signable,
  transaction: Transaction,
): Promise<SignatureDictionary | KitTransaction['signatures']> {
  if ('signTransactions' in signer) return (await signer.signTransactions([signable]))[0] ?? {};
  if (!('modifyAndSignTransactions' in signer)) {
    throw new TypeError(
      `the signer ${signer.address} can only sign and send at once: nothing could be checked or sent to the rollup`,
    );
  }
  const [signed] = await signer.modifyAndSignTransactions([signable]);
  const explained = messageOf(transaction);
  const isSame =
    signed?.messageBytes.length === explained.length &&
    explained.every((byte, index) => signed.messageBytes[index] === byte);
  if (!isSame) {
    throw new TypeError(
      `the signer ${signer.address} changed the transaction that was checked: it is not sent`,
    );
  }
  return signed.signatures;
}
