import { createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { addressBytes, type Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';

/**
 * The state of a signature. `wrong` means that it does not match the message and key, or that the network
 * refuses it in any case.
 */
type SignatureState = 'valid' | 'missing' | 'wrong';

/** A required signer, in the order of the signatures, and the state of its signature. */
export interface SignerState {
  readonly address: Address;
  readonly signature: SignatureState;
}

/** The DER before the 32 bytes of an ed25519 public key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Verifies every signature of a sane transaction, as strictly as the network (Agave `Signature::verify`,
 * ed25519-dalek `verify_strict`).
 */
export function readSignatures(transaction: Transaction): SignerState[] {
  const message = transaction.wire.subarray(transaction.messageAt);
  return transaction.signatures.map((signature, index) => {
    const address = transaction.staticKeys[index] as Address;
    return { address, signature: stateOf(signature, address, message) };
  });
}

function stateOf(signature: Uint8Array, address: Address, message: Uint8Array): SignatureState {
  if (signature.every((byte) => byte === 0)) return 'missing';
  const publicKey = addressBytes(address);
  if (isSmallOrder(publicKey) || isSmallOrder(signature.subarray(0, 32))) return 'wrong';
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEADER, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, key, signature) ? 'valid' : 'wrong';
}

/**
 * Whether bytes are one of the eight points of small order. With these a signature fits almost any message
 * and proves nothing.
 */
function isSmallOrder(bytes: Uint8Array): boolean {
  try {
    // Non-strict parsing also accepts unreduced coordinates, as the network does.
    return ed25519.Point.fromBytes(bytes, true).isSmallOrder();
  } catch {
    return false;
  }
}
