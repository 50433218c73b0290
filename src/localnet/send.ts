import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { signMissing } from '../wallets/sign-missing.ts';
import { readTransactionText } from '../payments/fields/transaction-field.ts';
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
  const { wire, missing } = signMissing(readTransactionText(transactionBase64), (signer) =>
    wallets.find(({ address }) => address === signer),
  );
  if (missing.length > 0) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `The transaction needs the signature of ${missing.join(' and ')}: pass that wallet, too`,
      { signers: [...missing] },
    );
  }
  if (sendTo === 'base') return await chain.sendTransaction(wire);
  if (chain.rollup === null) throw new ServiceError('UNSUPPORTED_ON_CLUSTER', 'The localnet has no rollup');
  return await chain.rollup.sendTransaction(wire);
}
