import { compactU16Size, writeCompactU16 } from '../../solana/compact-u16.ts';
import { V1_PREFIX, VERSION_FLAG } from '../../solana/message-version.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import { decodeTransaction, WireError, type Transaction } from '../../solana/transaction.ts';
import { invalidParams } from '../errors.ts';
import { decodeWireText } from './encoded-transaction.ts';

/** The type name in Agave's messages (`std::any::type_name`). */
const TYPE_NAME = 'solana_message::versions::VersionedMessage';

/**
 * Decodes a base64 message into a transaction whose signatures are zero. Bytes after the message are ignored.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `decode_and_deserialize`.
 */
export function decodeMessageText(text: string): Transaction {
  const message = decodeWireText(text, 'base64', TYPE_NAME);
  try {
    return decodeTransaction(withEmptySignatures(message));
  } catch (error) {
    if (error instanceof WireError) {
      throw invalidParams(`failed to deserialize ${TYPE_NAME}: ${error.message}`);
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
