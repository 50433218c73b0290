import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import {
  decodeTransaction,
  isSane,
  requireFitting,
  type Transaction,
  transactionBytesMax,
  V1_TRANSACTION_BYTES_MAX,
  WireError,
} from '../../solana/transaction.ts';

const TEXT_MAX = Math.ceil(V1_TRANSACTION_BYTES_MAX / 3) * 4;

/** Maximum length that is decoded, in characters. Texts between the two limits have their own error. */
const TEXT_READ_MAX = 16_384;

/** Creates the schema for a base64 transaction. */
export const transactionText = (description: string) =>
  z
    .string({ error: 'must be a base64 text' })
    .min(1, { error: 'must be a base64 text' })
    .max(TEXT_READ_MAX, { error: `must not be longer than ${TEXT_MAX} characters` })
    .meta({ description, maxLength: TEXT_MAX });

/**
 * Decodes a transaction from base64 (RFC 4648, with padding).
 *
 * @throws {ServiceError} INVALID_TRANSACTION if it is not base64, not a transaction, inconsistent, or has
 *   trailing bytes; TRANSACTION_TOO_LARGE above 1232 bytes, 4096 in version 1.
 */
export function readTransactionText(text: string): Transaction {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalid('it is not base64 (RFC 4648, with padding)');
  const context = { field: 'transactionBase64' };
  requireFitting(bytes.length, ['pass a smaller transaction'], context, transactionBytesMax(bytes[0]));
  const transaction = decode(new Uint8Array(bytes));
  if (transaction.wire.length !== bytes.length) {
    throw invalid(`${bytes.length - transaction.wire.length} bytes follow the transaction`);
  }
  if (!isSane(transaction)) throw invalid('its counts and indices contradict each other');
  return transaction;
}

function decode(bytes: Uint8Array): Transaction {
  try {
    return decodeTransaction(bytes);
  } catch (error) {
    if (error instanceof WireError) throw invalid(error.message);
    throw error;
  }
}

const invalid = (reason: string): ServiceError =>
  new ServiceError('INVALID_TRANSACTION', `transactionBase64 is not a Solana transaction: ${reason}`, {
    field: 'transactionBase64',
  });
