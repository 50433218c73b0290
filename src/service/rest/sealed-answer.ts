import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import type { Reply } from '../reply.ts';

/** AES-256 in Galois/Counter Mode (NIST SP 800-38D), with a nonce of 96 and a tag of 128 bits. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Between the head, which is JSON and has no line ends, and the body. */
const LINE_END = 0x0a;

type Head = Pick<Reply, 'status' | 'contentType' | 'headers'>;

/**
 * An answer as it lies on a disk: nonce, tag, and what only somebody can read who has the key and the token
 * that it was asked for with.
 *
 * @param secret 32 bytes in base64.
 */
export function sealAnswer(secret: string, reply: Reply): Buffer {
  const { status, contentType, headers, body = '' } = reply;
  const head: Head = {
    status,
    ...(contentType && { contentType }),
    ...(headers && { headers }),
  };
  const nonce = randomFillSync(Buffer.allocUnsafe(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, Buffer.from(secret, 'base64'), nonce);
  const sealed = [cipher.update(`${JSON.stringify(head)}\n${body}`, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/**
 * Opens what {@link sealAnswer} sealed with the same secret.
 *
 * @throws {Error} Node's, if it is not that.
 */
export function openAnswer({ secret }: { readonly secret: string }, bytes: Uint8Array): Reply {
  const decipher = createDecipheriv(CIPHER, Buffer.from(secret, 'base64'), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  decipher.final();
  const end = opened.indexOf(LINE_END);
  return { ...(JSON.parse(opened.toString('utf8', 0, end)) as Head), body: opened.toString('utf8', end + 1) };
}
