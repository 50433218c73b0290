import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';

/** An X25519 (RFC 7748) key agreement. Keys and secrets are 32 bytes. */
interface AgreementKey {
  readonly publicKey: Uint8Array;
  /**
   * The secret shared with the owner of `otherKey`.
   *
   * @throws if that key is of small order, which would make the secret zero for any key (OpenSSL's check).
   */
  sharedWith(otherKey: Uint8Array): Uint8Array;
}

/** The key of a secret, 32 random bytes. OpenSSL multiplies twenty times as fast as JavaScript. */
export function agreementKey(secret: Uint8Array): AgreementKey {
  const privateKey = importSecret(secret);
  // OpenSSL has computed the public half from the secret.
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return {
    publicKey: new Uint8Array(Buffer.from(x, 'base64url')),
    sharedWith: (otherKey) => {
      const publicKey = createPublicKey({ key: { ...CURVE, x: toBase64Url(otherKey) }, format: 'jwk' });
      return new Uint8Array(diffieHellman({ privateKey, publicKey }));
    },
  };
}

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
