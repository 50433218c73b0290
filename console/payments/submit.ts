import type { SendTransactionOutput } from '../../src/client/generated.ts';
import { PaymentsError } from '../../src/client/index.ts';
import { decodeBase64, encodeBase64 } from '../parts/encodings.ts';
import { readTransaction, signatureOf, withSignatures } from '../solana/transaction.ts';
import type { Keypair } from '../wallets/keypair.ts';
import { type Agreed, consentOf, contentOf, isStill, objectionsTo } from './consent.ts';
import { explainAgain, type PaymentPorts, type Proposal, propose, type SendTo } from './proposal.ts';

/** A transaction that is signed and handed over: from here on it may land, whatever anyone answers. */
export interface Sent {
  /** Who signed it. */
  readonly wallet: string;
  readonly sendTo: SendTo;
  readonly signature: string;
  /** Once this block height of its ledger has passed it can no longer land. */
  readonly lastValidBlockHeight: number;
}

/** What became of a proposal that was agreed to. */
export type Submitted =
  /** The ledger took it; `arrival` says what its destination shows, if anyone looked. */
  | { readonly outcome: 'landed'; readonly sent: Sent; readonly arrival?: SendTransactionOutput['arrival'] }
  /** It landed and failed; the message says why, where that is known. */
  | { readonly outcome: 'failed'; readonly sent: Sent; readonly message: string | null }
  /** It can no longer land, and moved nothing. */
  | { readonly outcome: 'expired'; readonly sent: Sent }
  /** No one saw it land, or its answer was lost. It still may land, or has: its signature is to be looked up. */
  | {
      readonly outcome: 'unknown';
      readonly sent: Sent;
      /** Why the outcome is unknown; null if it was only not seen within 30 seconds. */
      readonly fault: string | null;
    }
  /**
   * It is not what was agreed to, or does something else by now: nothing was signed, and this is to be looked
   * at.
   */
  | { readonly outcome: 'changed'; readonly proposal: Proposal };

/** Ports for signed transactions. */
export interface SubmitPorts extends PaymentPorts {
  /** Keeps what is about to be handed over. Where it throws nothing is handed over. */
  store(sent: Sent): void;
}

/** No one agreed to what speaks against it; the message says what that is. */
export class NotAgreed extends Error {
  override readonly name = 'NotAgreed';
}

/**
 * Holds a proposal against what was agreed to, asks once more what it does, signs it, keeps its signature,
 * sends it and waits for it. One whose blockhash ran out meanwhile is built anew, and signed where nothing but that
 * differs. What is thrown is from before it was handed over, so that nothing has moved: a
 * failure after that is an outcome.
 *
 * @throws {NotAgreed} if something speaks against it, and it was not ticked.
 * @throws {PaymentsError} as the service fails to explain it, or to build it anew.
 * @throws {TypeError} for bytes that are no transaction of this wallet alone.
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

/** A blockhash is valid for 150 blocks, so a transaction that was read for longer is built again. */
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
