import { createPrivateKey, type KeyObject } from 'node:crypto';

/** The curves of RFC 8410 that this project uses, for signatures and for key agreement. */
type SecretCurve = 'Ed25519' | 'X25519';

/** The DER before the 32 bytes of a secret in a PKCS #8 `PrivateKeyInfo` (RFC 8410 section 7). */
const PKCS8_HEADERS: Readonly<Record<SecretCurve, Buffer>> = {
  Ed25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
  X25519: Buffer.from('302e020100300506032b656e04220420', 'hex'),
};

/**
 * Imports a secret as a JSON Web Key (RFC 8037), which is ten times as fast as PKCS #8 on Node 20. The public
 * half `x` is required but not known yet. Up to Node 24 any 32 bytes are accepted, because OpenSSL computes
 * `x` from `d`.
 */
function fromWebKey(crv: SecretCurve, secret: Uint8Array): KeyObject {
  const d = Buffer.from(secret.buffer, secret.byteOffset, secret.length).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv, d, x: d }, format: 'jwk' });
}

/** Imports a secret as PKCS #8, without a public half. Since Node 26 a web key needs the correct one. */
const fromPkcs8 = (crv: SecretCurve, secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEADERS[crv], secret]), format: 'der', type: 'pkcs8' });

function takesAnyPublicHalf(): boolean {
  try {
    fromWebKey('X25519', new Uint8Array(32).fill(1));
    fromWebKey('Ed25519', new Uint8Array(32).fill(1));
    return true;
  } catch {
    return false;
  }
}

/** Imports a secret of 32 bytes as a private key. */
export const importSecret = takesAnyPublicHalf() ? fromWebKey : fromPkcs8;

/** Returns the public half, which OpenSSL has computed from the secret. */
export function publicHalfOf(privateKey: KeyObject): Uint8Array {
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return new Uint8Array(Buffer.from(x, 'base64url'));
}
