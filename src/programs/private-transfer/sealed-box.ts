import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { blake2b } from '@noble/hashes/blake2.js';
import {
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { type Random, systemRandom } from '../../ports/random.ts';
import { importSecret, publicHalfOf } from '../../solana/import-secret.ts';
import { concat } from '../instruction-data.ts';

/** An X25519 private key (RFC 7748). Keys and secrets are 32 bytes. */
interface AgreementKey {
  readonly publicKey: Uint8Array;
  /**
   * Derives the secret shared with the owner of `otherKey`.
   *
   * @throws if `otherKey` is of small order, which would make the secret zero (OpenSSL's check).
   */
  sharedWith(otherKey: PublicKey): Uint8Array;
}

/** A public key: its 32 bytes and OpenSSL's key object. Reuse it to seal many boxes for one recipient. */
export interface PublicKey {
  readonly bytes: Uint8Array;
  readonly object: KeyObject;
}

/** Imports a public key of 32 bytes. Keys of small order are detected only by `sharedWith`. */
export function publicKeyOf(bytes: Uint8Array): PublicKey {
  return { bytes, object: createPublicKey({ key: { ...CURVE, x: toBase64Url(bytes) }, format: 'jwk' }) };
}

/**
 * Generates a key from 32 bytes of `random`. For the system's generator, OpenSSL generates the key itself,
 * because importing one costs more than the multiplication.
 */
export function freshKey(random: Random): AgreementKey {
  if (random !== systemRandom) return agreementKey(random.bytes(32));
  // Exporting the public key afterwards can deadlock the process. Node 20 holds the key's lock while it
  // allocates the text, and a garbage collection then frees the job that made the key, which waits for the
  // same lock. Encoding by that job costs nothing extra; DER would cost 100 us.
  const { publicKey, privateKey } = generateKeyPairSync('x25519', PUBLIC_AS_WEB_KEY) as unknown as {
    readonly publicKey: JsonWebKey;
    readonly privateKey: KeyObject;
  };
  return agreementOf(privateKey, new Uint8Array(Buffer.from(publicKey.x ?? '', 'base64url')));
}

/** Imports a private key of 32 random bytes. OpenSSL multiplies twenty times faster than JavaScript. */
export function agreementKey(secret: Uint8Array): AgreementKey {
  const privateKey = importSecret('X25519', secret);
  return agreementOf(privateKey, publicHalfOf(privateKey));
}

const agreementOf = (privateKey: KeyObject, publicKey: Uint8Array): AgreementKey => ({
  publicKey,
  sharedWith: ({ object }) => new Uint8Array(diffieHellman({ privateKey, publicKey: object })),
});

const PUBLIC_AS_WEB_KEY = { publicKeyEncoding: { format: 'jwk' } } as const;

const CURVE = { kty: 'OKP', crv: 'X25519' } as const;

const toBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url');

/**
 * libsodium's sealed box (`crypto_box_seal`): the ephemeral X25519 public key, then a NaCl box
 * (XSalsa20-Poly1305) under the nonce BLAKE2b-24(ephemeral public key, recipient's public key).
 */

const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/** Bytes that a sealed box adds to its contents (libsodium `crypto_box_SEALBYTES`). */
export const SEAL_BYTES = KEY_BYTES + TAG_BYTES;

/**
 * Seals `plaintext` for the owner of `boxKey`, which must not be of small order.
 *
 * @param ephemeral a fresh key. Reusing it for one recipient would repeat the nonce.
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

/** Derives the box key (`crypto_box_beforenm`): HSalsa20 of the shared point with a zero nonce. */
function hsalsaKey(shared: Uint8Array): Uint8Array {
  const words = new Uint32Array(8);
  new Uint8Array(words.buffer).set(shared);
  const key = new Uint32Array(8);
  hsalsa(SIGMA, words, new Uint32Array(4), key);
  return new Uint8Array(key.buffer);
}
