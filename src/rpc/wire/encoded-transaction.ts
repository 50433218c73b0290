import { Base58Error, decodeBase58 } from '../../solana/base58.ts';
import { compactU16Size, writeCompactU16 } from '../../solana/message.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import {
  decodeTransaction,
  type Transaction,
  TRANSACTION_BYTES_MAX,
  transactionBytesMax,
  V1_PREFIX,
  V1_TRANSACTION_BYTES_MAX,
  VERSION_FLAG,
  WireError,
} from '../../solana/transaction.ts';
import { invalidParams } from '../errors.ts';
import { debugString } from '../params/param-reader.ts';
import { variant } from '../params/readers.ts';

/**
 * Decodes base58.
 *
 * @throws {RpcError} -32602 with the message of the Rust crate `bs58` 0.5.
 */
export function decodeBase58Text(text: string): Uint8Array {
  try {
    return decodeBase58(text);
  } catch (error) {
    if (error instanceof Base58Error)
      throw invalidParams(`invalid base58 encoding: ${describeBase58Fault(error)}`);
    throw error;
  }
}

/** Returns the message of the Rust crate `bs58` 0.5 for a fault (`{:?}` of `decode::Error`). */
export function describeBase58Fault({ character, index }: Base58Error): string {
  if (character.charCodeAt(0) > 0x7f) return `NonAsciiCharacter { index: ${index} }`;
  return `InvalidCharacter { character: ${debugCharacter(character)}, index: ${index} }`;
}

/** Formats a character like Rust's `{:?}`: as in a string, but with the single quote escaped. */
function debugCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${debugString(character).slice(1, -1)}'`;
}

/** The type name in Agave's messages (`std::any::type_name`). */
const MESSAGE_TYPE = 'solana_message::versions::VersionedMessage';

/**
 * Decodes a base64 message into a transaction with zero signatures. Ignores bytes after the message.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `decode_and_deserialize`.
 */
export function decodeMessageText(text: string): Transaction {
  const message = decodeWireText(text, 'base64', MESSAGE_TYPE);
  try {
    return decodeTransaction(withEmptySignatures(message));
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${MESSAGE_TYPE}: ${error.message}`);
    }
    throw error;
  }
}

function withEmptySignatures(message: Uint8Array): Uint8Array {
  const first = message[0] ?? 0;
  if (first === V1_PREFIX)
    return Buffer.concat([message, new Uint8Array((message[1] ?? 0) * SIGNATURE_BYTES)]);
  const signatureCount = first < VERSION_FLAG ? first : (message[1] ?? 0);
  const messageAt = compactU16Size(signatureCount) + signatureCount * SIGNATURE_BYTES;
  const wire = new Uint8Array(messageAt + message.length);
  writeCompactU16(wire, 0, signatureCount);
  wire.set(message, messageAt);
  return wire;
}

/** Reads Agave's `UiTransactionEncoding`. */
export const transactionEncoding = variant(['binary', 'base64', 'base58', 'json', 'jsonParsed']);

export type TransactionEncoding = ReturnType<typeof transactionEncoding>;

/** The maximum length of a text and of the bytes it encodes. */
interface TextLimit {
  readonly encoding: 'base58' | 'base64';
  readonly textMax: number;
  readonly bytesMax: number;
}

/** Agave `MAX_BASE58_SIZE` and `MAX_BASE64_SIZE`: the encoded length of 1232 bytes. */
const BASE58: TextLimit = { encoding: 'base58', textMax: 1_683, bytesMax: TRANSACTION_BYTES_MAX };
const BASE64: TextLimit = { encoding: 'base64', textMax: 1_644, bytesMax: TRANSACTION_BYTES_MAX };

/** The limit of version 1, whose transactions may be larger (SIMD-0385). */
const BASE64_V1: TextLimit = { encoding: 'base64', textMax: 5_464, bytesMax: V1_TRANSACTION_BYTES_MAX };

/** The start of the base64 of a version 1 transaction. */
const V1_BASE64_START = /^g[Q-Za-f]/;

/** The type name in Agave's messages (`std::any::type_name`). */
const TYPE_NAME = 'solana_transaction::versioned::VersionedTransaction';

/**
 * Decodes a caller's transaction, by default from base58. Ignores bytes after the transaction.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `decode_and_deserialize`.
 */
export function decodeTransactionText(text: string, encoding: TransactionEncoding = 'base58'): Transaction {
  if (encoding === 'json' || encoding === 'jsonParsed') {
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
  const bytes = decodeWireText(text, encoding, TYPE_NAME);
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${TYPE_NAME}: ${error.message}`);
    }
    throw error;
  }
}

/**
 * Decodes the text of a transaction or message and checks its size.
 *
 * @param typeName Agave's name of the type.
 * @throws {RpcError} -32602.
 */
function decodeWireText(
  text: string,
  encoding: 'binary' | 'base58' | 'base64',
  typeName: string,
): Uint8Array {
  const bytes = encoding === 'base64' ? decodeFromBase64(text, typeName) : decodeFromBase58(text, typeName);
  const bytesMax = transactionBytesMax(bytes[0]);
  if (bytes.length > bytesMax) {
    throw invalidParams(`decoded ${typeName} too large: ${bytes.length} bytes (max: ${bytesMax} bytes)`);
  }
  return bytes;
}

function decodeFromBase64(text: string, typeName: string): Uint8Array {
  if (V1_BASE64_START.test(text)) refuseLongText(text, BASE64_V1, typeName);
  else refuseLongText(text, BASE64, typeName);
  return decodeBase64(text);
}

function decodeFromBase58(text: string, typeName: string): Uint8Array {
  refuseLongText(text, BASE58, typeName);
  return decodeBase58Text(text);
}

function refuseLongText(text: string, { encoding, textMax, bytesMax }: TextLimit, typeName: string): void {
  const length = Buffer.byteLength(text);
  if (length <= textMax) return;
  throw invalidParams(
    `${encoding} encoded ${typeName} too large: ${length} bytes (max: encoded/raw ${textMax}/${bytesMax})`,
  );
}

const PADDING = 0x3d;

/**
 * Decodes base64: standard alphabet, padding required, unused bits zero.
 *
 * @throws {RpcError} -32602 with the message of the Rust crate `base64` 0.22.
 */
export function decodeBase64(text: string): Uint8Array {
  const decoded = tryDecodeBase64(text);
  if ('fault' in decoded) throw invalidParams(`invalid base64 encoding: ${decoded.fault}`);
  return decoded.bytes;
}

/** Decodes like {@link decodeBase64}, but returns a fault in the format of the crate's `DecodeError`. */
export function tryDecodeBase64(text: string): { readonly bytes: Uint8Array } | { readonly fault: string } {
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid characters. Only canonical text survives the round trip.
  if (bytes.toString('base64') === text) return { bytes };
  return { fault: describeBase64Fault(Buffer.from(text, 'utf8')) };
}

/** Describes the first fault of invalid base64 in the format of the crate's `DecodeError`. */
function describeBase64Fault(text: Uint8Array): string {
  const end = text.length;
  // The crate checks a single symbol after the last group of four first, so the message names a trailing line
  // feed.
  if (end % 4 === 1 && text[end - 1] !== PADDING && !isSymbol(text[end - 1]))
    return invalidByte(text, end - 1);
  const tailAt = end - (end % 4 || 4);
  for (let index = 0; index < tailAt; index++) {
    if (!isSymbol(text[index])) return invalidByte(text, index);
  }
  return describeTailFault(text, tailAt);
}

/** Describes the fault in the last one to four bytes. Checks symbols first, then padding. */
function describeTailFault(text: Uint8Array, tailAt: number): string {
  let padAt = text.length;
  for (let index = tailAt; index < text.length; index++) {
    const isPadding = text[index] === PADDING;
    if (isPadding && index - tailAt < 2) return invalidByte(text, index);
    if (isPadding) padAt = Math.min(padAt, index);
    else if (index > padAt) return invalidByte(text, padAt);
    else if (!isSymbol(text[index])) return invalidByte(text, index);
  }
  const symbols = padAt - tailAt;
  if (symbols < 2) return `InvalidLength(${tailAt + symbols})`;
  if ((text.length - tailAt) % 4 !== 0) return 'InvalidPadding';
  // The only remaining possibility is that unused bits of the last symbol are not zero.
  return `InvalidLastSymbol(${padAt - 1}, ${text[padAt - 1]})`;
}

function invalidByte(text: Uint8Array, index: number): string {
  return `InvalidByte(${index}, ${text[index]})`;
}

function isSymbol(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9+/]/.test(String.fromCharCode(byte));
}
