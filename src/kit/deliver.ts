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

interface Delivery {
  readonly chain: Chain;
  /** The client for base or for its rollup. */
  readonly node: LedgerClient;
  readonly token: string | undefined;
  readonly lastHeight: number;
  readonly journey: Journey;
  readonly waiting: Waiting;
}

/**
 * Sends a signed transaction and waits for its arrival: up to 30 s until it lands or expires, then up to 20 s
 * until its destination shows the payment. A missing response is not an error, because the ledger may have
 * accepted it.
 *
 * @throws {ServiceError} INVALID_TRANSACTION for a wrong or missing signature; TRANSACTION_FAILED,
 *   TRANSACTION_EXPIRED, MISSING_AUTH_TOKEN, AUTH_REFUSED; UPSTREAM_REJECTED, UPSTREAM_RATE_LIMITED if it was
 *   not accepted; {PaymentsError} ALREADY_SIGNED.
 */
export async function deliver(
  wire: Uint8Array,
  { chain, node, token, lastHeight, journey, waiting }: Delivery,
): Promise<Pick<Receipt, 'signature' | 'outcome' | 'message'>> {
  const transaction = decodeTransaction(wire);
  requireSignatures(transaction);
  const awaited = awaitedOf(transaction, { chain, node, token }, lastHeight);
  const { signature } = awaited;
  await sendOnce(node, transaction, awaited);
  const outcome = await awaitOutcome(node, awaited, waiting);
  rejectFailed(chain, transaction, signature, outcome);
  return { signature, ...(await journey.end(outcome, waiting)) };
}

/** Sends the transaction, and repeats it if there is no response. The ledger executes it only once. */
async function sendOnce(node: LedgerClient, transaction: Transaction, awaited: Awaited): Promise<void> {
  try {
    if ((await submit(node, transaction, awaited)) !== null) throw alreadySigned(awaited.signature);
  } catch (error) {
    if (!isServiceError(error) || !isUnanswered(error)) throw error;
    await submit(node, transaction, awaited).catch(ignoreServiceError);
  }
}

const isUnanswered = ({ code, context }: ServiceError): boolean =>
  code.startsWith('UPSTREAM_') && context['outcome'] === 'unknown';

/** Ignores errors of the second attempt, which may concern bytes that the ledger already accepted. */
function ignoreServiceError(error: unknown): void {
  if (!isServiceError(error)) throw error;
}

/** Builds the error for a message that another client of the wallet may have sent for its own payment. */
const alreadySigned = (signature: string): PaymentsError =>
  new PaymentsError(
    'ALREADY_SIGNED',
    `The ledger already had transaction ${signature}. It may be an identical payment by another client of this wallet, so this payment may have moved nothing. Look up the signature before you pay again.`,
    { details: { signature, outcome: 'unknown' } },
  );

/** Number of blocks for which a base ledger accepts a blockhash (Agave `MAX_PROCESSING_AGE`). */
const PROCESSING_AGE_MAX = 150;

/**
 * Maximum number of blocks by which a valid blockhash can be newer than a node's response: `latestBlockhash`
 * can be 5 s old, which is 100 blocks of 50 ms, and the newest block is up to 32 ahead of the confirmed one.
 */
const AHEAD_MAX = 150;

interface Heights {
  /** The current block height of the ledger. */
  readonly height: number;
  /** The last block height for transactions built on a currently valid blockhash. */
  readonly lastHeight: number;
}

/**
 * Reads the heights from the ledger itself. With a height from the service, or from the newest blockhash
 * only, a payment could look expired while it can still land. Rollups accept blockhashes for longer than base
 * ledgers, as the last valid height of their newest blockhash shows.
 *
 * @throws {ServiceError} UPSTREAM_*, AUTH_REFUSED.
 */
export async function readHeights(node: LedgerClient, token: string | undefined): Promise<Heights> {
  const [latest, height] = await Promise.all([node.latestBlockhash(token), node.blockHeight(token)]);
  const lastHeight = Math.max(latest.lastValidBlockHeight, height + PROCESSING_AGE_MAX) + AHEAD_MAX;
  return { height, lastHeight };
}

type Signable = Parameters<
  Extract<TransactionSigner, { signTransactions: unknown }>['signTransactions']
>[0][number];

/**
 * Requests signatures for exactly these bytes.
 *
 * @param lifetime for wallets that display it.
 * @throws {TypeError} if a signer can only sign and send in one step, or signs other bytes.
 * @returns the bytes with the signatures, which are verified before sending.
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
      `the signer ${signer.address} can only sign and send in one step, so its transaction cannot be checked first: use a signer with signTransactions or modifyAndSignTransactions`,
    );
  }
  const [signed] = await signer.modifyAndSignTransactions([signable]);
  const explained = messageOf(transaction);
  const isSame =
    signed?.messageBytes.length === explained.length &&
    explained.every((byte, index) => signed.messageBytes[index] === byte);
  if (!isSame) {
    throw new TypeError(
      `the signer ${signer.address} changed the checked transaction, so it was not sent: use a wallet that signs it unchanged`,
    );
  }
  return signed.signatures;
}
