import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { addressOf, type Address } from '../solana/address.ts';
import { encodeUnsignedTransaction, type CompiledMessage } from '../solana/message.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';

/**
 * What comes before the 32 bytes of a seed in PKCS #8 (RFC 8410), and how long a public key's SPKI header is.
 */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEADER_BYTES = 12;

/** An ed25519 key that signs for an address. The seed cannot be read back. */
export class Keypair {
  readonly address: Address;
  readonly #key: KeyObject;

  /** @param seed 32 bytes, the secret. */
  constructor(seed: Uint8Array) {
    this.#key = createPrivateKey({
      key: Buffer.concat([PKCS8_HEADER, seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    this.address = addressOf(spki.subarray(SPKI_HEADER_BYTES));
  }

  /** The 64 bytes of the signature over `message`. */
  sign(message: Uint8Array): Uint8Array {
    return sign(null, message, this.#key);
  }
}

/**
 * A message with the signatures of `keypairs` in the places of their addresses. Places of other signers stay
 * zero.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function signTransaction(message: CompiledMessage, keypairs: readonly Keypair[]): Transaction {
  const wire = encodeUnsignedTransaction(message);
  for (const keypair of keypairs) {
    const place = message.signers.indexOf(keypair.address);
    if (place < 0) throw new Error(`${keypair.address} is no signer of the message`);
    wire.set(keypair.sign(message.bytes), 1 + place * 64);
  }
  return decodeTransaction(wire);
}
