import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto';

/** A secret of X25519 (RFC 7748) and what can be done with it. Keys and secrets are 32 bytes. */
export interface AgreementKey {
  readonly publicKey: Uint8Array;
  /**
   * The secret shared with the owner of `otherKey`.
   *
   * @throws when that key is of small order, so that the secret would be zero whatever this key is (OpenSSL's check).
   */
  sharedWith(otherKey: Uint8Array): Uint8Array;
}

/**
 * The key of a secret of 32 random bytes. OpenSSL multiplies twenty times as fast as JavaScript can; JSON Web Keys
 * (RFC 8037) are the quickest way to hand it raw bytes. Those of a secret must have its public half, which is yet to be
 * computed here; PKCS #8 does without.
 */
export function agreementKey(secret: Uint8Array): AgreementKey {
  const key = Buffer.concat([PKCS8_HEADER, secret]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return {
    publicKey: new Uint8Array(Buffer.from(x, 'base64url')),
    sharedWith: (otherKey) => {
      const publicKey = createPublicKey({ key: { ...CURVE, x: toBase64Url(otherKey) }, format: 'jwk' });
      return new Uint8Array(diffieHellman({ privateKey, publicKey }));
    },
  };
}

/** What stands before the 32 bytes of a secret in a PKCS #8 `PrivateKeyInfo` (RFC 8410 section 7, id-X25519). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b656e04220420', 'hex');

const CURVE = { kty: 'OKP', crv: 'X25519' } as const;

const toBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url');
