import { createHash, createHmac, type KeyObject, sign } from 'node:crypto';
import { openBox } from '../programs/private-transfer/sealed-box.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { importSecret, publicHalfOf } from '../solana/import-secret.ts';
import { type CompiledMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';

/** An ed25519 key that signs for an address. The seed cannot be read back. */
export class Keypair {
  readonly address: Address;
  readonly #key: KeyObject;

  /** @param seed 32 bytes, the secret. */
  constructor(seed: Uint8Array) {
    this.#key = importSecret('Ed25519', seed);
    this.address = addressOf(publicHalfOf(this.#key));
  }

  /** Returns the signature of `message`, 64 bytes. */
  sign(message: Uint8Array): Uint8Array {
    return sign(null, message, this.#key);
  }

  /**
   * Opens a box that was sealed for the X25519 form of the key, whose secret is the first half of
   * SHA-512(seed) (RFC 8032, RFC 7748). Returns null if the box was sealed for another key or was modified.
   */
  openSealed(sealed: Uint8Array): Uint8Array | null {
    const { d = '' } = this.#key.export({ format: 'jwk' });
    const seed = Buffer.from(d, 'base64url');
    return openBox(sealed, new Uint8Array(createHash('sha512').update(seed).digest().subarray(0, 32)));
  }
}

/**
 * Signs a message with each of `keypairs`. The signatures of other signers stay zero.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function signTransaction(message: CompiledMessage, keypairs: readonly Keypair[]): Transaction {
  const wire = encodeUnsignedTransaction(message);
  for (const keypair of keypairs) {
    const place = message.signers.indexOf(keypair.address);
    if (place < 0) throw new Error(`${keypair.address} is not a signer of the message`);
    wire.set(keypair.sign(message.bytes), 1 + place * SIGNATURE_BYTES);
  }
  return decodeTransaction(wire);
}

/** Derives 32 secret bytes from a node's secret and a purpose. The result is always the same. */
export function nodeSecret(identitySeed: Uint8Array, purpose: string): Uint8Array {
  return createHmac('sha256', identitySeed).update(purpose).digest();
}
