import { ServiceError } from '../errors/service-error.ts';
import { addressBytes, type Address } from './address.ts';
import { compactU16Size, writeCompactU16 } from './compact-u16.ts';
import type { Instruction } from './instruction.ts';

/** The largest transaction the network carries, in bytes (Agave PACKET_DATA_SIZE: 1280 - 40 - 8). */
export const TRANSACTION_BYTES_MAX = 1_232;

/** A message ready to be signed. */
export interface CompiledMessage {
  /** The bytes the signers sign. */
  readonly bytes: Uint8Array;
  /** Who must sign, in the order of the signatures; the fee payer is the first. */
  readonly signers: readonly Address[];
}

/** What a transaction is made of before it has bytes. */
export interface MessageSource {
  readonly feePayer: Address;
  /** The 32 bytes of the blockhash. */
  readonly blockhash: Uint8Array;
  readonly instructions: readonly Instruction[];
}

interface KeyRights {
  readonly address: Address;
  signer: boolean;
  writable: boolean;
}

/**
 * A legacy message. The account order is the one `@solana/web3.js` 1.98 produces, so that both build the same bytes:
 * fee payer, writable signers, read-only signers, writable, read-only; within a group by the base58 text, digits before
 * letters, letters without regard to case, and lower before upper case where that is the only difference.
 */
export function compileLegacyMessage(source: MessageSource): CompiledMessage {
  const keys = orderKeys(source);
  const indexOf = new Map(keys.map((key, index) => [key.address, index]));
  const signers = keys.filter((key) => key.signer);
  const readonlySigned = signers.filter((key) => !key.writable).length;
  const readonlyUnsigned = keys.filter((key) => !key.signer && !key.writable).length;

  const bytes = new Uint8Array(messageSize(keys.length, source.instructions));
  bytes[0] = signers.length;
  bytes[1] = readonlySigned;
  bytes[2] = readonlyUnsigned;
  let at = writeCompactU16(bytes, 3, keys.length);
  for (const key of keys) {
    bytes.set(addressBytes(key.address), at);
    at += 32;
  }
  bytes.set(source.blockhash, at);
  at = writeCompactU16(bytes, at + 32, source.instructions.length);
  for (const instruction of source.instructions) {
    bytes[at++] = indexOf.get(instruction.programId) as number;
    at = writeCompactU16(bytes, at, instruction.accounts.length);
    for (const account of instruction.accounts) bytes[at++] = indexOf.get(account.address) as number;
    at = writeCompactU16(bytes, at, instruction.data.length);
    bytes.set(instruction.data, at);
    at += instruction.data.length;
  }
  return { bytes, signers: signers.map((key) => key.address) };
}

/**
 * The wire bytes of a message with a zero in place of every signature.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE above 1232 bytes.
 */
export function encodeUnsignedTransaction(message: CompiledMessage): Uint8Array {
  const signatureCount = message.signers.length;
  const messageAt = compactU16Size(signatureCount) + signatureCount * 64;
  const size = messageAt + message.bytes.length;
  if (size > TRANSACTION_BYTES_MAX) {
    throw new ServiceError(
      'TRANSACTION_TOO_LARGE',
      `The transaction would take ${size} bytes and ${TRANSACTION_BYTES_MAX} fit; leave out optional parts or split it`,
      { size, limit: TRANSACTION_BYTES_MAX },
    );
  }
  const bytes = new Uint8Array(size);
  writeCompactU16(bytes, 0, signatureCount);
  bytes.set(message.bytes, messageAt);
  return bytes;
}

function orderKeys(source: MessageSource): KeyRights[] {
  const rights = new Map<Address, KeyRights>();
  const claim = (address: Address, signer: boolean, writable: boolean): void => {
    const known = rights.get(address);
    if (known === undefined) {
      rights.set(address, { address, signer, writable });
      return;
    }
    known.signer ||= signer;
    known.writable ||= writable;
  };
  for (const instruction of source.instructions) {
    for (const account of instruction.accounts) claim(account.address, account.signer, account.writable);
  }
  for (const instruction of source.instructions) claim(instruction.programId, false, false);
  rights.delete(source.feePayer);
  const others = [...rights.values()].sort(
    (a, b) =>
      Number(b.signer) - Number(a.signer) || Number(b.writable) - Number(a.writable) || compareText(a, b),
  );
  return [{ address: source.feePayer, signer: true, writable: true }, ...others];
}

/** The collation of `localeCompare(…, 'en', {caseFirst: 'lower'})` for texts of digits and ASCII letters. */
function compareText(a: KeyRights, b: KeyRights): number {
  const left = a.address;
  const right = b.address;
  const length = Math.min(left.length, right.length);
  let caseOrder = 0;
  for (let i = 0; i < length; i++) {
    const leftCode = left.charCodeAt(i);
    const rightCode = right.charCodeAt(i);
    if (leftCode === rightCode) continue;
    // Setting bit 5 makes letters lower case and leaves digits as they are.
    const byLetter = (leftCode | 0x20) - (rightCode | 0x20);
    if (byLetter !== 0) return byLetter;
    if (caseOrder === 0) caseOrder = rightCode - leftCode;
  }
  return left.length - right.length || caseOrder;
}

function messageSize(keyCount: number, instructions: readonly Instruction[]): number {
  let size = 3 + compactU16Size(keyCount) + keyCount * 32 + 32 + compactU16Size(instructions.length);
  for (const { accounts, data } of instructions) {
    size += 1 + compactU16Size(accounts.length) + accounts.length + compactU16Size(data.length) + data.length;
  }
  return size;
}
