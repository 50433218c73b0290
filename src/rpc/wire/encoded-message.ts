import { compactU16Size, writeCompactU16 } from '../../solana/compact-u16.ts';
import { VERSION_FLAG } from '../../solana/message-version.ts';
import { decodeMessageV1, V1_PREFIX, type MessageV1 } from '../../solana/message-v1.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import { decodeTransaction, WireError, type Transaction } from '../../solana/transaction.ts';
import { invalidParams } from '../errors.ts';
import { decodeWireText } from './encoded-transaction.ts';

/** A decoded message of any version. */
export type DecodedMessage = Transaction | MessageV1;

/** The type name in Agave's messages (`std::any::type_name`). */
const TYPE_NAME = 'solana_message::versions::VersionedMessage';

/**
 * Decodes a base64 message. An older version is returned as a transaction with zero signatures. Bytes after
 * the message are ignored.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `decode_and_deserialize`.
 */
export function decodeMessageText(text: string): DecodedMessage {
  const message = decodeWireText(text, 'base64', TYPE_NAME);
  try {
    return message[0] === V1_PREFIX
      ? decodeMessageV1(message)
      : decodeTransaction(withEmptySignatures(message));
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${TYPE_NAME}: ${error.message}`);
    }
    throw error;
  }
}

function withEmptySignatures(message: Uint8Array): Uint8Array {
  const first = message[0] ?? 0;
  const signatureCount = first < VERSION_FLAG ? first : (message[1] ?? 0);
  const messageAt = compactU16Size(signatureCount) + signatureCount * SIGNATURE_BYTES;
  const wire = new Uint8Array(messageAt + message.length);
  writeCompactU16(wire, 0, signatureCount);
  wire.set(message, messageAt);
  return wire;
}
