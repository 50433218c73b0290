import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { systemRandom, type Random } from '../../ports/random.ts';

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
  return agreementOf(privateKey, publicKey);
}

/** The key of a secret, 32 random bytes. OpenSSL multiplies twenty times as fast as JavaScript. */
export function agreementKey(secret: Uint8Array): AgreementKey {
  const privateKey = importSecret(secret);
  return agreementOf(privateKey, privateKey.export({ format: 'jwk' }));
}

/** OpenSSL has computed `x`, the public half, from the secret. */
const agreementOf = (privateKey: KeyObject, { x = '' }: JsonWebKey): AgreementKey => ({
  publicKey: new Uint8Array(Buffer.from(x, 'base64url')),
  sharedWith: ({ object }) => new Uint8Array(diffieHellman({ privateKey, publicKey: object })),
});

const PUBLIC_AS_WEB_KEY = { publicKeyEncoding: { format: 'jwk' } } as const;

const CURVE = { kty: 'OKP', crv: 'X25519' } as const;

/**
 * Imports as a JSON Web Key (RFC 8037), the fastest way to pass raw bytes to Node 20; PKCS #8 takes ten times
 * as long. The public half `x` is required but not known yet. Up to Node 24 any 32 bytes are accepted, as
 * OpenSSL computes it from `d`.
 */
function fromWebKey(secret: Uint8Array): KeyObject {
  const d = toBase64Url(secret);
  return createPrivateKey({ key: { ...CURVE, d, x: d }, format: 'jwk' });
}

/** The DER before the 32 bytes of a secret in a PKCS #8 `PrivateKeyInfo` (RFC 8410 section 7, id-X25519). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Imports as PKCS #8, which needs no public half. From Node 26 on a web key must have the correct one. */
const fromPkcs8 = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, secret]), format: 'der', type: 'pkcs8' });

function takesAnyPublicHalf(): boolean {
  try {
    fromWebKey(new Uint8Array(32).fill(1));
    return true;
  } catch {
    return false;
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url');

const importSecret = takesAnyPublicHalf() ? fromWebKey : fromPkcs8;
