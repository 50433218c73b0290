import { encodeBase58 } from '../parts/encodings.ts';

/** Sizes of an ed25519 signature and public key, in bytes. */
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
/** High bit of a message's first byte, set if the message is versioned (Solana's message format). */
const VERSIONED = 0x80;
/** Maximum size of a legacy or v0 transaction, in bytes (`solana-packet` PACKET_DATA_SIZE). */
const TRANSACTION_BYTES_MAX = 1_232;

/**
 * First byte of a version 1 transaction (SIMD-0385). It continues with header (3 bytes), config mask u32,
 * blockhash, instruction count u8 and account count u8, and ends with the signatures.
 */
const V1 = 0x81;
const V1_BLOCKHASH_AT = 8;
const V1_KEYS_AT = V1_BLOCKHASH_AT + BLOCKHASH_BYTES + 2;
const V1_BYTES_MAX = 4_096;

/** The parts of a transaction that signing needs. */
interface SignableTransaction {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes to sign. */
  readonly message: Uint8Array<ArrayBuffer>;
  /** Addresses of the signers, in the order of the signatures. */
  readonly signers: readonly string[];
  /** Offsets of the signatures and the message in `bytes`. */
  readonly signaturesAt: number;
  readonly messageAt: number;
  /** Offset of the blockhash in `message`. */
  readonly blockhashAt: number;
}

/**
 * Finds the message and the signers of a legacy, v0 or v1 transaction.
 *
 * @throws {TypeError} if the bytes are not a transaction.
 */
export function readTransaction(bytes: Uint8Array<ArrayBuffer>): SignableTransaction {
  if (bytes[0] === V1) return readV1(bytes);
  const count = bytes[0] ?? 0;
  // A packet has room for at most 19 signatures, so their compact-u16 count is always one byte.
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
  const messageAt = bytes.length - message.length;
  return {
    bytes,
    message,
    signers: signersAt(message, keysAt, count),
    signaturesAt: 1,
    messageAt,
    blockhashAt,
  };
}

function readV1(bytes: Uint8Array<ArrayBuffer>): SignableTransaction {
  const count = bytes[1] ?? 0;
  const signaturesAt = bytes.length - count * SIGNATURE_BYTES;
  const message = bytes.slice(0, Math.max(0, signaturesAt));
  const accounts = message[V1_KEYS_AT - 1] ?? 0;
  const isWhole = message.length >= V1_KEYS_AT + accounts * KEY_BYTES;
  if (bytes.length > V1_BYTES_MAX || count === 0 || accounts < count || !isWhole) throw unreadable();
  const signers = signersAt(message, V1_KEYS_AT, count);
  return { bytes, message, signers, signaturesAt, messageAt: 0, blockhashAt: V1_BLOCKHASH_AT };
}

const signersAt = (message: Uint8Array, keysAt: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    encodeBase58(message.subarray(keysAt + index * KEY_BYTES, keysAt + (index + 1) * KEY_BYTES)),
  );

/**
 * Returns the transaction with some signatures added. The others stay unchanged.
 *
 * @throws {TypeError} for a signature of an address that is not a signer.
 */
export function withSignatures(
  { bytes, signers, signaturesAt }: SignableTransaction,
  signatures: ReadonlyMap<string, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const signed = bytes.slice();
  for (const [signer, signature] of signatures) {
    const index = signers.indexOf(signer);
    if (index < 0) throw new TypeError(`${signer} does not sign this transaction`);
    signed.set(signature, signaturesAt + index * SIGNATURE_BYTES);
  }
  return signed;
}

/** Returns the blockhash of a transaction, in base58, and the bytes with zeros in its place. */
export function splitBlockhash({ bytes, messageAt, blockhashAt }: SignableTransaction): {
  readonly blockhash: string;
  readonly rest: Uint8Array<ArrayBuffer>;
} {
  const at = messageAt + blockhashAt;
  const rest = bytes.slice();
  return {
    blockhash: encodeBase58(rest.subarray(at, at + BLOCKHASH_BYTES)),
    rest: rest.fill(0, at, at + BLOCKHASH_BYTES),
  };
}

/** The signature that identifies a transaction, in base58: its first. */
export const signatureOf = (signed: Uint8Array): string => {
  const at = signed[0] === V1 ? signed.length - (signed[1] ?? 0) * SIGNATURE_BYTES : 1;
  return encodeBase58(signed.subarray(at, at + SIGNATURE_BYTES));
};

const unreadable = (): TypeError => new TypeError('The bytes are not a transaction of a supported version');
