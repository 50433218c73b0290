import { decodeTransaction, WireError, type Transaction } from '../../solana/transaction.ts';
import { TRANSACTION_BYTES_MAX } from '../../solana/message.ts';
import { invalidParams } from '../errors.ts';
import { variant } from '../params/variant.ts';
import { decodeBase58Text } from './base58-text.ts';
import { decodeBase64 } from './base64.ts';

/** Agave `UiTransactionEncoding`. */
export const transactionEncoding = variant(['binary', 'base64', 'base58', 'json', 'jsonParsed']);

export type TransactionEncoding = ReturnType<typeof transactionEncoding>;

/** The longest texts of a transaction (Agave `MAX_BASE58_SIZE`, `MAX_BASE64_SIZE`: 1232 bytes encoded). */
const BASE58_TEXT_MAX = 1_683;
const BASE64_TEXT_MAX = 1_644;

/** A transaction of version 1 may be larger (SIMD-0385): bytes, and characters of base64. */
const V1_BYTES_MAX = 4_096;
const V1_BASE64_TEXT_MAX = 5_464;

/** How a transaction of version 1 starts (SIMD-0385: 0x80 and the version), and what that byte is in base64. */
const V1_FIRST_BYTE = 0x81;
const V1_BASE64_START = /^g[Q-Za-f]/;

/** What Agave calls the type in its texts (`std::any::type_name`). */
const TYPE_NAME = 'solana_transaction::versioned::VersionedTransaction';

/**
 * A transaction as callers send it. Without an encoding the text is base58; bytes after the transaction are ignored.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `decode_and_deserialize`.
 */
export function decodeTransactionText(text: string, encoding: TransactionEncoding = 'base58'): Transaction {
  if (encoding === 'json' || encoding === 'jsonParsed') {
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
  const bytes = encoding === 'base64' ? decodeFromBase64(text) : decodeFromBase58(text);
  const bytesMax = bytes[0] === V1_FIRST_BYTE ? V1_BYTES_MAX : TRANSACTION_BYTES_MAX;
  if (bytes.length > bytesMax) {
    throw invalidParams(`decoded ${TYPE_NAME} too large: ${bytes.length} bytes (max: ${bytesMax} bytes)`);
  }
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${TYPE_NAME}: ${error.message}`);
    }
    throw error;
  }
}

function decodeFromBase64(text: string): Uint8Array {
  if (V1_BASE64_START.test(text)) refuseLongText('base64', text, V1_BASE64_TEXT_MAX, V1_BYTES_MAX);
  else refuseLongText('base64', text, BASE64_TEXT_MAX, TRANSACTION_BYTES_MAX);
  return decodeBase64(text);
}

function decodeFromBase58(text: string): Uint8Array {
  refuseLongText('base58', text, BASE58_TEXT_MAX, TRANSACTION_BYTES_MAX);
  return decodeBase58Text(text);
}

function refuseLongText(encoding: string, text: string, textMax: number, bytesMax: number): void {
  const length = Buffer.byteLength(text);
  if (length <= textMax) return;
  throw invalidParams(
    `${encoding} encoded ${TYPE_NAME} too large: ${length} bytes (max: encoded/raw ${textMax}/${bytesMax})`,
  );
}
