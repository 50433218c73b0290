import { getBase58Decoder, type KeyPairSigner } from '@solana/kit';

/** Signs the UTF-8 bytes of a text. Returns the signature in base58. */
export async function signText(wallet: KeyPairSigner, text: string): Promise<string> {
  const content = new TextEncoder().encode(text);
  const [signatures] = await wallet.signMessages([{ content, signatures: {} }]);
  return getBase58Decoder().decode(signatures?.[wallet.address] ?? new Uint8Array());
}
