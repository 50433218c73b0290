import { type Address, writeAddress } from './address.ts';
import type { Instruction } from './instruction.ts';
import { SIGNATURE_BYTES } from './signature.ts';
import { requireFitting, V1_TRANSACTION_BYTES_MAX } from './transaction.ts';

/** A message ready to be signed. */
export interface CompiledMessage {
  /** The bytes the signers sign. */
  readonly bytes: Uint8Array;
  /** The required signers in the order of the signatures. The fee payer is the first. */
  readonly signers: readonly Address[];
}

/** The parts of a message. */
export interface MessageSource {
  readonly feePayer: Address;
  /** The 32 bytes of the blockhash. */
  readonly blockhash: Uint8Array;
  readonly instructions: readonly Instruction[];
}

/** An account of a message and the rights that its instructions need. */
export interface MessageKey {
  readonly address: Address;
  signer: boolean;
  writable: boolean;
  /** Whether an instruction calls the account as a program. */
  invoked: boolean;
  /** The account's index in the message; in order of first appearance until the accounts are sorted. */
  index: number;
}

/**
 * Compiles a legacy message. The account order matches `@solana/web3.js` 1.98, so both build the same bytes:
 * fee payer, writable signers, read-only signers, writable, read-only. Each group is sorted by base58 text:
 * digits before letters, regardless of case, then lower before upper case.
 */
export function compileLegacyMessage(source: MessageSource): CompiledMessage {
  const { blockhash, instructions } = source;
  const { keys, uses } = collectKeys(source);
  keys.sort(compareKeys);
  const bytes = allocate(messageSize(keys.length, instructions));
  const signers: Address[] = [];
  let readonlySigned = 0;
  let readonlyUnsigned = 0;
  let at = writeCompactU16(bytes, 3, keys.length);
  for (const [index, key] of keys.entries()) {
    key.index = index;
    if (key.signer) signers.push(key.address);
    if (key.signer && !key.writable) readonlySigned++;
    if (!key.signer && !key.writable) readonlyUnsigned++;
    writeAddress(bytes, at, key.address);
    at += 32;
  }
  bytes[0] = signers.length;
  bytes[1] = readonlySigned;
  bytes[2] = readonlyUnsigned;
  bytes.set(blockhash, at);
  at = writeCompactU16(bytes, at + 32, instructions.length);
  let used = 0;
  for (const { accounts, data } of instructions) {
    bytes[at++] = (uses[used++] as MessageKey).index;
    at = writeCompactU16(bytes, at, accounts.length);
    for (const end = used + accounts.length; used < end; used++)
      bytes[at++] = (uses[used] as MessageKey).index;
    at = writeCompactU16(bytes, at, data.length);
    bytes.set(data, at);
    at += data.length;
  }
  return { bytes, signers };
}

/**
 * Encodes an unsigned transaction: the message with a zero in place of every signature.
 *
 * @param waysOut fixes for a transaction that is too large, as for {@link requireFitting}.
 * @throws {ServiceError} TRANSACTION_TOO_LARGE above 1232 bytes.
 */
export function encodeUnsignedTransaction(
  message: CompiledMessage,
  waysOut: readonly string[] = [],
): Uint8Array {
  const signatureCount = message.signers.length;
  const messageAt = compactU16Size(signatureCount) + signatureCount * SIGNATURE_BYTES;
  const size = messageAt + message.bytes.length;
  requireFitting(size, waysOut);
  const bytes = allocate(size);
  const signaturesAt = writeCompactU16(bytes, 0, signatureCount);
  bytes.fill(0, signaturesAt, messageAt).set(message.bytes, messageAt);
  return bytes;
}

/**
 * Encodes an unsigned transaction of version 1, whose message comes before its signatures.
 *
 * @throws {ServiceError} TRANSACTION_TOO_LARGE above 4096 bytes.
 */
export function encodeUnsignedV1(
  { bytes, signers }: CompiledMessage,
  waysOut: readonly string[] = [],
): Uint8Array {
  const wire = new Uint8Array(bytes.length + signers.length * SIGNATURE_BYTES);
  requireFitting(wire.length, waysOut, {}, V1_TRANSACTION_BYTES_MAX);
  wire.set(bytes);
  return wire;
}

/**
 * Returns every account once, the fee payer first, with all the rights that any instruction needs on it; and
 * the accounts in the order in which instructions refer to them: the program of each, then its accounts.
 */
export function collectKeys({ feePayer, instructions }: MessageSource): {
  keys: MessageKey[];
  uses: MessageKey[];
} {
  const known = new Map<Address, MessageKey>();
  const uses: MessageKey[] = [];
  const claim = (address: Address, signer: boolean, writable: boolean): MessageKey => {
    let key = known.get(address);
    if (key === undefined) {
      known.set(address, (key = { address, signer, writable, invoked: false, index: known.size }));
    } else {
      key.signer ||= signer;
      key.writable ||= writable;
    }
    return key;
  };
  claim(feePayer, true, true);
  for (const { programId, accounts } of instructions) {
    const program = claim(programId, false, false);
    program.invoked = true;
    uses.push(program);
    for (const { address, signer, writable } of accounts) uses.push(claim(address, signer, writable));
  }
  return { keys: [...known.values()], uses };
}

/** Compares two accounts by their order in the message. The first one, the fee payer, stays first. */
function compareKeys(a: MessageKey, b: MessageKey): number {
  if (a.index === 0) return -1;
  if (b.index === 0) return 1;
  if (a.signer !== b.signer) return a.signer ? -1 : 1;
  if (a.writable !== b.writable) return a.writable ? -1 : 1;
  return collateAddresses(a.address, b.address);
}

/** Compares like `localeCompare(…, 'en', {caseFirst: 'lower'})`, for texts of digits and ASCII letters. */
function collateAddresses(left: Address, right: Address): number {
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

/** Allocates bytes, all of which the caller must write. Node's pool is six times as fast as zeroed memory. */
function allocate(byteCount: number): Uint8Array {
  const { buffer, byteOffset } = Buffer.allocUnsafe(byteCount);
  return new Uint8Array(buffer, byteOffset, byteCount);
}

function messageSize(keyCount: number, instructions: readonly Instruction[]): number {
  let size = 3 + compactU16Size(keyCount) + keyCount * 32 + 32 + compactU16Size(instructions.length);
  for (const { accounts, data } of instructions) {
    size += 1 + compactU16Size(accounts.length) + accounts.length + compactU16Size(data.length) + data.length;
  }
  return size;
}

/** Returns the size of `value` (0 to 65,535) as compact-u16, Solana's `ShortU16`: 7 bits per byte. */
export function compactU16Size(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : 3;
}

/** Writes `value` (0 to 65,535) at `offset`; returns the offset after it. */
export function writeCompactU16(target: Uint8Array, offset: number, value: number): number {
  let rest = value;
  let at = offset;
  while (rest >= 0x80) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}
