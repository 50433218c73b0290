import type { SendTransactionOutput } from '../../src/client/generated.ts';
import { PaymentsError } from '../../src/client/index.ts';
import { decodeBase64, encodeBase64 } from '../parts/encodings.ts';
import { readTransaction, signatureOf, withSignatures } from '../solana/transaction.ts';
import type { Keypair } from '../wallets/keypair.ts';
import { type Agreed, consentOf, contentOf, isStill, objectionsTo } from './consent.ts';
import { explainAgain, type PaymentPorts, type Proposal, propose, type SendTo } from './proposal.ts';

/** A signed transaction that was sent. It may land even if the request failed. */
export interface Sent {
  /** The wallet that signed it. */
  readonly wallet: string;
  readonly sendTo: SendTo;
  readonly signature: string;
  /** Block height of its ledger after which it can no longer land. */
  readonly lastValidBlockHeight: number;
}

/** The outcome of a submitted proposal. */
export type Submitted =
  /** The transaction landed. `arrival` is the state of its destination, if that was checked. */
  | { readonly outcome: 'landed'; readonly sent: Sent; readonly arrival?: SendTransactionOutput['arrival'] }
  /** The transaction landed and failed. The message is the reason, if known. */
  | { readonly outcome: 'failed'; readonly sent: Sent; readonly message: string | null }
  /** The transaction did not land and no longer can. */
  | { readonly outcome: 'expired'; readonly sent: Sent }
  /** The transaction may have landed or may still land. The caller must look up its signature. */
  | {
      readonly outcome: 'unknown';
      readonly sent: Sent;
      /** Why the outcome is unknown; null if the transaction was not seen within 30 seconds. */
      readonly fault: string | null;
    }
  /** The proposal differs from what the user agreed to. Nothing was signed; it needs another review. */
  | { readonly outcome: 'changed'; readonly proposal: Proposal };

/** Ports for sending signed transactions. */
export interface SubmitPorts extends PaymentPorts {
  /** Stores a transaction before it is sent. If this throws, nothing is sent. */
  store(sent: Sent): void;
}

/** Thrown if there are objections that the user did not accept. The message lists them. */
export class NotAgreed extends Error {
  override readonly name = 'NotAgreed';
}

/**
 * Signs and sends a proposal, and waits for its outcome. Compares it with what the user agreed to and
 * explains it again first. If its blockhash has expired, it is built again and signed only if nothing else
 * differs.
 *
 * Throws only before anything is sent; every later failure is an outcome.
 *
 * @throws {NotAgreed} if there are objections that the user did not accept.
 * @throws {PaymentsError} if the service fails to explain or build it.
 * @throws {TypeError} if the bytes are not a transaction with this wallet as its only signer.
 */
export async function submit(
  ports: SubmitPorts,
  proposal: Proposal,
  agreed: Agreed,
  key: Keypair,
): Promise<Submitted> {
  if (contentOf(proposal) !== agreed.content) return { outcome: 'changed', proposal };
  if (consentOf(proposal.explanation, agreed.isTicked) === 'refused')
    throw new NotAgreed(objectionsTo(proposal.explanation).join(' '));
  const now = await asOfNow(ports, proposal);
  if (!isStill(proposal, now)) return { outcome: 'changed', proposal: now };
  const signed = await sign(now.transactionBase64, key);
  const { wallet, sendTo, lastValidBlockHeight } = now;
  const sent: Sent = { wallet, sendTo, signature: signatureOf(signed), lastValidBlockHeight };
  ports.store(sent);
  try {
    return await handOver(ports, now, sent, signed);
  } catch (error) {
    return afterFailure(sent, error);
  }
}

/** Explains a proposal again, or builds a new one if its blockhash has expired (after 150 blocks). */
async function asOfNow(ports: PaymentPorts, proposal: Proposal): Promise<Proposal> {
  const now = await explainAgain(ports, proposal);
  const hasRunOut = now.explanation.findings.some(({ code }) => code === 'BLOCKHASH_UNKNOWN');
  return hasRunOut ? await propose(ports, proposal.wallet, proposal.request) : now;
}

async function handOver(
  ports: PaymentPorts,
  { recentBlockhash }: Proposal,
  sent: Sent,
  signed: Uint8Array,
): Promise<Submitted> {
  const { wallet, sendTo, lastValidBlockHeight } = sent;
  const token = ports.tokenOf(wallet);
  const { outcome, arrival } = await ports.api.sendTransaction(
    { transactionBase64: encodeBase64(signed), sendTo, confirm: true, recentBlockhash, lastValidBlockHeight },
    token === null ? {} : { token },
  );
  if (outcome === 'confirmed') return { outcome: 'landed', sent, arrival };
  return outcome === 'expired' ? { outcome, sent } : { outcome: 'unknown', sent, fault: null };
}

/** An error proves only two outcomes: the transaction landed and failed, or it can no longer land. */
function afterFailure(sent: Sent, error: unknown): Submitted {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PaymentsError && error.details['signature'] === sent.signature) {
    const { code, details } = error;
    if (code === 'TRANSACTION_FAILED' && 'slot' in details) return { outcome: 'failed', sent, message };
    if (code === 'TRANSACTION_EXPIRED' && details['outcome'] === 'expired')
      return { outcome: 'expired', sent };
  }
  return { outcome: 'unknown', sent, fault: message };
}

async function sign(transactionBase64: string, key: Keypair): Promise<Uint8Array> {
  const bytes = decodeBase64(transactionBase64);
  if (bytes === null) throw new TypeError('The transaction is not base64');
  const transaction = readTransaction(bytes);
  return withSignatures(transaction, new Map([[key.address, await key.sign(transaction.message)]]));
}
