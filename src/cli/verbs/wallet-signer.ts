import type { Address, SignatureBytes, TransactionSigner } from '@solana/kit';
import type { Keypair } from '../../ledger/keypair.ts';
import { encodeBase58 } from '../../solana/base58.ts';

/** A key for kit's checks. */
interface WalletSigner {
  readonly signer: TransactionSigner;
  /** The last signature of a transaction, base58; null before the first. */
  signature(): string | null;
}

/**
 * A key that signs transactions and texts.
 *
 * @param beforeHandingOut called with the signature of a transaction, base58; rejects if it must not be used.
 */
export function signerOf(
  keypair: Keypair,
  beforeHandingOut: (signature: string) => Promise<void> = () => Promise.resolve(),
): WalletSigner {
  let last: string | null = null;
  const address = keypair.address as string as Address;
  const sign = (bytes: Uint8Array) => ({ [address]: keypair.sign(bytes) as SignatureBytes });
  const signer = {
    address,
    signTransactions: (transactions: readonly { readonly messageBytes: Uint8Array }[]) =>
      Promise.all(
        transactions.map(async ({ messageBytes }) => {
          const signatures = sign(messageBytes);
          const text = encodeBase58(signatures[address] ?? new Uint8Array());
          await beforeHandingOut(text);
          last = text;
          return signatures;
        }),
      ),
    signMessages: (messages: readonly { readonly content: Uint8Array }[]) =>
      Promise.resolve(messages.map(({ content }) => sign(content))),
  };
  return { signer: signer as unknown as TransactionSigner, signature: () => last };
}
