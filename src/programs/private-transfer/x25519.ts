import {
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { systemRandom, type Random } from '../../ports/random.ts';
import { importSecret, publicHalfOf } from '../../solana/import-secret.ts';

/** An X25519 (RFC 7748) key agreement. Keys and secrets are 32 bytes. */
export interface AgreementKey {
  readonly publicKey: Uint8Array;
  /**
   * The secret shared with the owner of `otherKey`.
   *
   * @throws if that key is of small order, which would make the secret zero for any key (OpenSSL's check).
   */
  sharedWith(otherKey: PublicKey): Uint8Array;
}

/** A public key: its 32 bytes, and what OpenSSL has made of them. Whoever seals often for one keeps it. */
export interface PublicKey {
  readonly bytes: Uint8Array;
  readonly object: KeyObject;
}

/** The public key of 32 bytes. Whether it is of small order shows only when it is agreed with. */
export function publicKeyOf(bytes: Uint8Array): PublicKey {
  return { bytes, object: createPublicKey({ key: { ...CURVE, x: toBase64Url(bytes) }, format: 'jwk' }) };
}

/**
 * A key that nobody has had before, of 32 bytes drawn from `random`. From the system's generator OpenSSL
 * draws them itself, as importing them costs more than multiplying.
 */
export function freshKey(random: Random): AgreementKey {
  if (random !== systemRandom) return agreementKey(random.bytes(32));
  // Exported afterwards, the public half could stop the process for good: Node 20 holds the key's lock while
  // it allocates the text, and a collection of garbage at that moment frees the job that made the key, which
  // waits for the same lock. Encoded by that job itself, it costs no more; as DER it would cost 100 us.
  const { publicKey, privateKey } = generateKeyPairSync('x25519', PUBLIC_AS_WEB_KEY) as unknown as {
    readonly publicKey: JsonWebKey;
    readonly privateKey: KeyObject;
  };
  return agreementOf(privateKey, new Uint8Array(Buffer.from(publicKey.x ?? '', 'base64url')));
}

/** The key of a secret, 32 random bytes. OpenSSL multiplies twenty times as fast as JavaScript. */
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
