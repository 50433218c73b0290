import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { readSignatures } from '../payments/explain/signatures.ts';
import { readTransactionText } from '../payments/fields/transaction-field.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { messageOf, type Transaction } from '../solana/transaction.ts';
import type { LocalnetWallet } from './wallet.ts';

/** A transaction that an operation built: REST and MCP answer more than this. */
export interface Built {
  /** The transaction, base64, whose missing signatures are 64 zero bytes. */
  readonly transactionBase64: string;
  /** The ledger it was built for. */
  readonly sendTo: 'base' | 'ephemeral';
}

/**
 * Signs with these wallets and sends to the ledger it was built for; resolves with the signature, base58,
 * once it has landed.
 *
 * @throws {ServiceError} INVALID_TRANSACTION, INVALID_ARGUMENTS where a signer is missing,
 *   TRANSACTION_FAILED.
 */
export async function signAndSend(
  chain: Chain,
  { transactionBase64, sendTo }: Built,
  wallets: readonly LocalnetWallet[],
): Promise<string> {
  const wire = sign(readTransactionText(transactionBase64), wallets);
  if (sendTo === 'base') return await chain.sendTransaction(wire);
  if (chain.rollup === null) throw new ServiceError('UNSUPPORTED_ON_CLUSTER', 'The localnet has no rollup');
  return await chain.rollup.sendTransaction(wire);
}

/** The wire bytes with the signatures of the wallets in the places that are empty. */
function sign(transaction: Transaction, wallets: readonly LocalnetWallet[]): Uint8Array {
  const signers = readSignatures(transaction);
  const signed = Uint8Array.from(transaction.wire);
  const message = messageOf(transaction);
  const missing: string[] = [];
  for (const [place, { address, signature }] of signers.entries()) {
    if (signature === 'valid') continue;
    const wallet = wallets.find((each) => each.address === address);
    if (wallet === undefined) missing.push(address);
    else signed.set(wallet.sign(message), transaction.signaturesAt + place * SIGNATURE_BYTES);
  }
  if (missing.length === 0) return signed;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    `The transaction needs the signature of ${missing.join(' and ')}: pass that wallet, too`,
    { signers: missing },
  );
}
