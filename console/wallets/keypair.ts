import { encodeBase58, encodeBase64, decodeBase64 } from '../parts/encodings.ts';

/** A key of this tab. It is serialized only if the user stores it. */
export interface Keypair {
  /** The public key in base58. */
  readonly address: string;
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** The key in PKCS #8, base64. */
  serialize(): Promise<string>;
}

const ED25519 = { name: 'Ed25519' };

/** Creates a key. @throws {DOMException} if the browser lacks Ed25519, or the origin is not secure. */
export async function makeKeypair(): Promise<Keypair> {
  const made = (await crypto.subtle.generateKey(ED25519, true, ['sign', 'verify'])) as CryptoKeyPair;
  return keypairOf(made.privateKey, made.publicKey);
}

/**
 * Reads a stored key.
 *
 * @throws {TypeError} if the text is not a stored key.
 */
export async function readKeypair(text: string): Promise<Keypair> {
  const bytes = decodeBase64(text);
  if (bytes === null) throw new TypeError('the stored key cannot be read');
  const privateKey = await crypto.subtle.importKey('pkcs8', bytes, ED25519, true, ['sign']);
  // WebCrypto can only get the public key from the private key's JSON Web Key, which includes it (RFC 8037).
  const { kty, crv, x } = await crypto.subtle.exportKey('jwk', privateKey);
  const jwk = { kty: kty ?? 'OKP', crv: crv ?? 'Ed25519', x: x ?? '' };
  const publicKey = await crypto.subtle.importKey('jwk', jwk, ED25519, true, ['verify']);
  return keypairOf(privateKey, publicKey);
}

async function keypairOf(privateKey: CryptoKey, publicKey: CryptoKey): Promise<Keypair> {
  const address = encodeBase58(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  return {
    address,
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(ED25519, privateKey, bytes)),
    serialize: async () => encodeBase64(new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))),
  };
}

/** Says why this browser cannot create keys; null if it can. */
export async function keysMissing(): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) {
    return 'The browser creates keys on secure pages only. Open this page at http://localhost or over HTTPS.';
  }
  try {
    await crypto.subtle.generateKey(ED25519, false, ['sign', 'verify']);
    return null;
  } catch {
    return 'This browser cannot create Ed25519 keys. Use Chrome 137, Firefox 129, Safari 17 or later.';
  }
}
