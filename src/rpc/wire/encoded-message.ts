import { compactU16Size, writeCompactU16 } from '../../solana/compact-u16.ts';
import { decodeMessageV1, V1_PREFIX, type MessageV1 } from '../../solana/message-v1.ts';
import { decodeTransaction, WireError, type Transaction } from '../../solana/transaction.ts';
import { invalidParams } from '../errors.ts';
import { decodeWireText } from './encoded-transaction.ts';

/** A message taken apart, in the one way or the other. */
export type DecodedMessage = Transaction | MessageV1;

/** What Agave calls the type in its texts (`std::any::type_name`). */
const TYPE_NAME = 'solana_message::versions::VersionedMessage';

/** The first byte of a message that has a version; legacy ones begin with the number of their signatures. */
const VERSION_FLAG = 0x80;

/**
 * A message in base64; one of an older version as a transaction whose signatures are zeros. Bytes after the
 * message are ignored.
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
  const messageAt = compactU16Size(signatureCount) + signatureCount * 64;
  const wire = new Uint8Array(messageAt + message.length);
  writeCompactU16(wire, 0, signatureCount);
  wire.set(message, messageAt);
  return wire;
}
