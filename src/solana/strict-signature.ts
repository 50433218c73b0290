import { createPublicKey, verify } from 'node:crypto';

/**
 * The encodings of the eight points of small order without their highest bit, which is the sign of x and may
 * have either value (RFC 8032, 5.1.2). The last two are y = 0 and y = 1 plus the prime, which the network
 * accepts too.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

const POINT_BYTES = 32;

/**
 * Checks an ed25519 signature as strictly as the network (Agave `Signature::verify`, ed25519-dalek
 * `verify_strict`). Rejects points of small order, which would make a signature valid for almost any message.
 *
 * @param publicKey 32 bytes, which need not be a point.
 * @param signature 64 bytes.
 */
export function isStrictlySigned(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (isSmallOrder(publicKey) || isSmallOrder(signature.subarray(0, POINT_BYTES))) return false;
  // OpenSSL imports a JWK ten times as fast as the same key in DER.
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}

function isSmallOrder(point: Uint8Array): boolean {
  const bytes = Buffer.from(point);
  bytes[POINT_BYTES - 1] = (bytes[POINT_BYTES - 1] as number) & 0x7f;
  return SMALL_ORDER.has(bytes.toString('hex'));
}
