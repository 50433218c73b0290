import { encodeBase58 } from './base58.ts';

/** Bytes of an ed25519 signature, and of a public key. */
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
/** The high bit of a message's first byte says that it is versioned (Solana's message format). */
const VERSIONED = 0x80;
/** A transaction is a packet of at most 1,232 bytes (`solana-packet` PACKET_DATA_SIZE). */
const TRANSACTION_BYTES_MAX = 1_232;

/** A transaction as far as signing needs it. */
export interface SignableTransaction {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What every signer signs. */
  readonly message: Uint8Array<ArrayBuffer>;
  /** Who has to sign, base58, in the order of the signatures. */
  readonly signers: readonly string[];
  /** Where the 32 bytes of its blockhash begin in `message`. */
  readonly blockhashAt: number;
}

/**
 * Finds the message and its signers in the bytes of a transaction, legacy or v0.
 *
 * @throws {TypeError} if the bytes are no such transaction.
 */
export function readTransaction(bytes: Uint8Array<ArrayBuffer>): SignableTransaction {
  const count = bytes[0] ?? 0;
  // 19 signatures alone would fill a packet, so that their number fits into one byte of compact-u16.
  if (bytes.length > TRANSACTION_BYTES_MAX || count === 0 || count > 19) throw unreadable();
  const message = bytes.slice(1 + count * SIGNATURE_BYTES);
  const version = message[0] ?? 0;
  if (version > VERSIONED) throw unreadable();
  const header = version === VERSIONED ? 1 : 0;
  const accounts = message[header + 3] ?? 0;
  const keysAt = header + 4;
  if (message[header] !== count || accounts < count || accounts > 127) throw unreadable();
  const blockhashAt = keysAt + accounts * KEY_BYTES;
  if (message.length < blockhashAt + BLOCKHASH_BYTES) throw unreadable();
  const signers = Array.from({ length: count }, (_, index) =>
    encodeBase58(message.subarray(keysAt + index * KEY_BYTES, keysAt + (index + 1) * KEY_BYTES)),
  );
  return { bytes, message, signers, blockhashAt };
}

/**
 * The transaction with the signatures of some of its signers put in; others stay as they are.
 *
 * @throws {TypeError} for a signature of somebody who does not have to sign.
 */
export function withSignatures(
  { bytes, signers }: SignableTransaction,
  signatures: ReadonlyMap<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const signed = bytes.slice();
  for (const [signer, signature] of signatures) {
    const index = signers.indexOf(signer);
    if (index < 0) throw new TypeError(`${signer} does not sign this transaction`);
    signed.set(signature, 1 + index * SIGNATURE_BYTES);
  }
  return signed;
}

/** The blockhash of a transaction, base58, and its bytes without it. */
export function splitBlockhash({ bytes, message, blockhashAt }: SignableTransaction): {
  readonly blockhash: string;
  readonly rest: Uint8Array<ArrayBuffer>;
} {
  const at = bytes.length - message.length + blockhashAt;
  const rest = bytes.slice();
  return {
    blockhash: encodeBase58(rest.subarray(at, at + BLOCKHASH_BYTES)),
    rest: rest.fill(0, at, at + BLOCKHASH_BYTES),
  };
}

/** The signature a transaction is known by, base58: its first. */
export const signatureOf = (signed: Uint8Array): string =>
  encodeBase58(signed.subarray(1, 1 + SIGNATURE_BYTES));

const unreadable = (): TypeError => new TypeError('These bytes are no transaction in the legacy or v0 form');
