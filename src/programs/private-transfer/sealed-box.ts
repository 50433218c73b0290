import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { concat } from '../instruction-data.ts';
import { agreementKey, publicKeyOf, type AgreementKey, type PublicKey } from './x25519.ts';

/**
 * libsodium's sealed box (`crypto_box_seal`): the ephemeral X25519 public key, then a NaCl box
 * (XSalsa20-Poly1305) under the nonce BLAKE2b-24(ephemeral public key, recipient's public key).
 */

const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** How many bytes a sealed box adds to its contents (libsodium `crypto_box_SEALBYTES`). */
export const SEAL_BYTES = KEY_BYTES + TAG_BYTES;

/**
 * Seals `plaintext` for the owner of `boxKey`, which must not be of small order.
 *
 * @param ephemeral a fresh key. Used twice for one recipient, it would repeat the nonce.
 */
export function sealBox(plaintext: Uint8Array, boxKey: PublicKey, ephemeral: AgreementKey): Uint8Array {
  const cipher = boxCipher(ephemeral.sharedWith(boxKey), ephemeral.publicKey, boxKey.bytes);
  return concat(ephemeral.publicKey, cipher.encrypt(plaintext));
}

/** Opens a sealed box; null if it was not made for the owner of `boxSecret` (32 bytes) or was modified. */
export function openBox(sealed: Uint8Array, boxSecret: Uint8Array): Uint8Array | null {
  if (sealed.length < SEAL_BYTES) return null;
  const ephemeralKey = sealed.subarray(0, KEY_BYTES);
  try {
    const recipient = agreementKey(boxSecret);
    const cipher = boxCipher(
      recipient.sharedWith(publicKeyOf(ephemeralKey)),
      ephemeralKey,
      recipient.publicKey,
    );
    return cipher.decrypt(sealed.subarray(KEY_BYTES));
  } catch {
    // The libraries throw if the tag does not match or the ephemeral key is of small order.
    return null;
  }
}

function boxCipher(shared: Uint8Array, ephemeralKey: Uint8Array, boxKey: Uint8Array) {
  const nonce = blake2b(concat(ephemeralKey, boxKey), { dkLen: NONCE_BYTES });
  return xsalsa20poly1305(hsalsaKey(shared), nonce);
}

/** "expand 32-byte k", the four constant words of the Salsa20 state. */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);

/**
 * `crypto_box_beforenm`: HSalsa20 of the shared point with a zero nonce. Words are little-endian, as
 * everywhere in NaCl.
 */
function hsalsaKey(shared: Uint8Array): Uint8Array {
  const words = new Uint32Array(8);
  new Uint8Array(words.buffer).set(shared);
  const key = new Uint32Array(8);
  hsalsa(SIGMA, words, new Uint32Array(4), key);
  return new Uint8Array(key.buffer);
}
