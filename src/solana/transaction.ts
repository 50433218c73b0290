import { ServiceError } from '../errors/service-error.ts';
import { type Address, addressOf } from './address.ts';
import { ByteReader } from './byte-reader.ts';
import { SIGNATURE_BYTES } from './signature.ts';

/** Thrown if bytes are not a transaction. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** One instruction of a compiled message, with indices into the account keys. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/** A lookup table of a v0 message, with the indices of the addresses that the message loads from it. */
export interface TableLookup {
  readonly table: Address;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

/**
 * The compute budget of a message of version 1 (SIMD-0385), in which compute budget instructions have no
 * effect. A limit that is null is zero, except that the heap then has its default size.
 */
export interface TransactionConfig {
  /** The whole priority fee, in lamports. */
  readonly priorityFee: bigint | null;
  /** Maximum compute units. */
  readonly computeUnitLimit: number | null;
  /** Maximum bytes of loaded account data. */
  readonly loadedAccountsDataSizeLimit: number | null;
  /** Size of the heap, in bytes. */
  readonly heapSize: number | null;
}

/** A decoded transaction. Byte arrays are views into `wire`. */
export interface Transaction {
  /** The bytes of the transaction, without any bytes that followed it in the input. */
  readonly wire: Uint8Array;
  readonly version: 'legacy' | 0 | 1;
  readonly signatures: readonly Uint8Array[];
  /** Offset of the first signature in `wire`; the others follow it. Version 1 has them after the message. */
  readonly signaturesAt: number;
  /** Start and end of the message, the signed part, in `wire`. */
  readonly messageAt: number;
  readonly messageEnd: number;
  /** Offset of the first static key in `wire`; the others follow it. */
  readonly keysAt: number;
  /** Offset of the 32 bytes of the blockhash in `wire`. */
  readonly blockhashAt: number;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** The keys in the message itself, without keys from lookup tables. */
  readonly staticKeys: readonly Address[];
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
  /** The config of version 1; null for other versions. */
  readonly config: TransactionConfig | null;
}

/**
 * Decodes a legacy, v0 or v1 transaction. Rejects everything that the native engine could abort on: lengths
 * that are not canonical, missing bytes, unknown versions. Ignores bytes after the transaction, like Agave.
 * {@link isSane} checks counts and indices.
 *
 * @throws {WireError} naming the fault and its offset.
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const reader = new WireReader(bytes);
  if (bytes[0] === V1_PREFIX) return decodeV1(bytes, reader);
  if (bytes.length > 0 && (bytes[0] as number) >= VERSION_FLAG) {
    throw new WireError('transaction version is not supported: only legacy, v0 and v1 are');
  }
  const signatures = reader.shortList('signatures', () => reader.take(SIGNATURE_BYTES));
  const messageAt = reader.offset;
  const signaturesAt = messageAt - SIGNATURE_BYTES * signatures.length;
  let requiredSignatures = reader.u8();
  let version: 'legacy' | 0 = 'legacy';
  if (requiredSignatures >= VERSION_FLAG) {
    if (requiredSignatures !== VERSION_FLAG) {
      throw new WireError(
        `message version ${requiredSignatures ^ VERSION_FLAG} is not supported: only legacy and v0 are`,
      );
    }
    version = 0;
    requiredSignatures = reader.u8();
  }
  const readonlySigned = reader.u8();
  const readonlyUnsigned = reader.u8();
  const staticKeys = reader.shortList('account keys', () => addressOf(reader.take(32)));
  const blockhashAt = reader.offset;
  const keysAt = blockhashAt - 32 * staticKeys.length;
  reader.take(32);
  const instructions = reader.shortList('instructions', () => ({
    programIdIndex: reader.u8(),
    accounts: reader.take(reader.compactU16()),
    data: reader.take(reader.compactU16()),
  }));
  const lookups =
    version === 0
      ? reader.shortList('lookup tables', () => ({
          table: addressOf(reader.take(32)),
          writable: reader.take(reader.compactU16()),
          readonly: reader.take(reader.compactU16()),
        }))
      : [];
  return {
    wire: bytes.subarray(0, reader.offset),
    version,
    signatures,
    signaturesAt,
    messageAt,
    messageEnd: reader.offset,
    keysAt,
    blockhashAt,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    instructions,
    lookups,
    config: null,
  };
}

/**
 * Bits of the config mask of version 1: priority fee u64 in lamports (both bits), compute unit limit u32,
 * limit of loaded account data u32, heap size u32 (SIMD-0385).
 */
const PRIORITY_FEE_BITS = 0b11;
const KNOWN_BITS = 0b11111;

/**
 * Decodes version 1: prefix u8, header 3, config mask u32, blockhash 32, counts of instructions and addresses
 * u8, addresses, config values, a head for each instruction (program u8, account count u8, data length u16),
 * their accounts and data, signatures. It has no lookup tables.
 */
function decodeV1(bytes: Uint8Array, reader: WireReader): Transaction {
  reader.u8();
  const requiredSignatures = reader.u8();
  const readonlySigned = reader.u8();
  const readonlyUnsigned = reader.u8();
  const mask = reader.u32();
  const blockhashAt = reader.offset;
  reader.take(32);
  const instructionCount = reader.u8();
  const addressCount = reader.u8();
  const keysAt = reader.offset;
  const staticKeys = times(addressCount, () => addressOf(reader.take(32)));
  const config = readConfig(reader, mask);
  const heads = times(instructionCount, () => ({
    programIdIndex: reader.u8(),
    accountCount: reader.u8(),
    dataBytes: reader.u16(),
  }));
  const instructions = heads.map(({ programIdIndex, accountCount, dataBytes }) => ({
    programIdIndex,
    accounts: reader.take(accountCount),
    data: reader.take(dataBytes),
  }));
  const messageEnd = reader.offset;
  const signatures = times(requiredSignatures, () => reader.take(SIGNATURE_BYTES));
  return {
    wire: bytes.subarray(0, reader.offset),
    version: 1,
    signatures,
    signaturesAt: messageEnd,
    messageAt: 0,
    messageEnd,
    keysAt,
    blockhashAt,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    instructions,
    lookups: [],
    config,
  };
}

function readConfig(reader: WireReader, mask: number): TransactionConfig {
  const feeBits = mask & PRIORITY_FEE_BITS;
  if (mask > KNOWN_BITS || (feeBits !== 0 && feeBits !== PRIORITY_FEE_BITS)) {
    throw new WireError(`invalid transaction config mask ${mask}`);
  }
  const limit = (bit: number): number | null => ((mask & bit) === 0 ? null : reader.u32());
  return {
    priorityFee: feeBits === 0 ? null : reader.u64(),
    computeUnitLimit: limit(0b100),
    loadedAccountsDataSizeLimit: limit(0b1000),
    heapSize: limit(0b10000),
  };
}

const times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);

/** The bytes that the signers sign. */
export const messageOf = ({
  wire,
  messageAt,
  messageEnd,
}: Pick<Transaction, 'wire' | 'messageAt' | 'messageEnd'>): Uint8Array =>
  wire.subarray(messageAt, messageEnd);

/** Maximum number of accounts, including lookup tables (Agave `MAX_TX_ACCOUNT_LOCKS` bounds it further). */
const ACCOUNTS_MAX = 256;

/** Maximum number of signatures, addresses and instructions of version 1 (SIMD-0385). */
const V1_SIGNATURES_MAX = 12;
const V1_ADDRESSES_MAX = 64;
const V1_INSTRUCTIONS_MAX = 64;

/** Limits of the heap size (Agave `MIN_HEAP_FRAME_BYTES`, `MAX_HEAP_FRAME_BYTES`), a multiple of 1024. */
const HEAP_BYTES_MIN = 32 * 1024;
const HEAP_BYTES_MAX = 256 * 1024;

/** Whether a heap size in bytes is allowed. */
export const isHeapSize = (bytes: number): boolean =>
  bytes >= HEAP_BYTES_MIN && bytes <= HEAP_BYTES_MAX && bytes % 1024 === 0;

/** Whether the counts and indices of a transaction are consistent (`VersionedTransaction::sanitize`). */
export function isSane(transaction: Transaction): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys, signatures, lookups } =
    transaction;
  if (signatures.length !== requiredSignatures || requiredSignatures > staticKeys.length) return false;
  if (transaction.version === 1 && !isWithinV1(transaction)) return false;
  // The fee payer must be a writable signer.
  if (readonlySigned >= requiredSignatures) return false;
  if (requiredSignatures + readonlyUnsigned > staticKeys.length) return false;
  let keyCount = staticKeys.length;
  for (const { writable, readonly } of lookups) {
    if (writable.length + readonly.length === 0) return false;
    keyCount += writable.length + readonly.length;
  }
  if (keyCount > ACCOUNTS_MAX) return false;
  return transaction.instructions.every(
    ({ programIdIndex, accounts }) =>
      programIdIndex > 0 && programIdIndex < staticKeys.length && accounts.every((index) => index < keyCount),
  );
}

/** Whether a message is within the limits of version 1 and has no duplicate address. */
function isWithinV1({ requiredSignatures, staticKeys, instructions, config }: Transaction): boolean {
  const { heapSize = null } = config ?? {};
  return (
    (heapSize === null || isHeapSize(heapSize)) &&
    requiredSignatures <= V1_SIGNATURES_MAX &&
    staticKeys.length <= V1_ADDRESSES_MAX &&
    instructions.length <= V1_INSTRUCTIONS_MAX &&
    new Set(staticKeys).size === staticKeys.length
  );
}

/** Whether the message's header makes the static key at `index` writable. */
export function isStaticKeyWritable(transaction: Transaction, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys } = transaction;
  return index < requiredSignatures
    ? index < requiredSignatures - readonlySigned
    : index < staticKeys.length - readonlyUnsigned;
}

/**
 * Returns the transaction with a different blockhash (32 bytes), or itself if it already has that blockhash.
 * Instructions and signatures still point into the old bytes.
 */
export function withBlockhash(transaction: Transaction, blockhash: Uint8Array): Transaction {
  if (hasBlockhash(transaction, blockhash)) return transaction;
  const wire = Buffer.from(transaction.wire);
  wire.set(blockhash, transaction.blockhashAt);
  return { ...transaction, wire };
}

function hasBlockhash({ wire, blockhashAt }: Transaction, blockhash: Uint8Array): boolean {
  for (let at = 0; at < blockhash.length; at++) if (wire[blockhashAt + at] !== blockhash[at]) return false;
  return true;
}

/** Reads the bytes of a transaction. Throws {@link WireError} for malformed bytes. */
class WireReader extends ByteReader {
  /** Reads a compact-u16 count and its items. */
  shortList<T>(name: string, read: () => T): T[] {
    const count = this.compactU16();
    // Every item has at least one byte.
    if (count > this.remaining) throw new WireError(`the data is too short for ${count} ${name}`);
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  }

  protected override fault(what: string, at: number): WireError {
    return new WireError(`${what} at byte ${at}`);
  }
}

/** The largest transaction the network carries, in bytes (Agave PACKET_DATA_SIZE: 1280 - 40 - 8). */
export const TRANSACTION_BYTES_MAX = 1_232;

/** The largest transaction of version 1, in bytes (SIMD-0385). */
export const V1_TRANSACTION_BYTES_MAX = 4_096;

/** Returns the maximum size of a transaction that starts with this byte. */
export const transactionBytesMax = (first: number | undefined): number =>
  first === V1_PREFIX ? V1_TRANSACTION_BYTES_MAX : TRANSACTION_BYTES_MAX;

/**
 * Rejects a transaction that is too large for the network.
 *
 * @param size bytes of the transaction.
 * @param waysOut possible fixes, each a clause such as "leave out memo".
 * @param context additional members of the error.
 * @param limit maximum bytes.
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function requireFitting(
  size: number,
  waysOut: readonly string[] = [],
  context: Readonly<Record<string, string>> = {},
  limit = TRANSACTION_BYTES_MAX,
): void {
  if (size <= limit) return;
  const fix = waysOut.length === 0 ? 'leave out optional parts' : waysOut.join(', or ');
  throw new ServiceError('TRANSACTION_TOO_LARGE', `Transaction too large: ${size} > ${limit} bytes: ${fix}`, {
    ...context,
    size,
    limit,
  });
}

/**
 * The flag of the first byte of a versioned message (`solana-message` `MESSAGE_VERSION_PREFIX`). The other
 * bits are the version. A legacy message starts with its header, which never has this bit.
 */
export const VERSION_FLAG = 0x80;

/** The first byte of a message of version 1, and of its transaction (SIMD-0385). */
export const V1_PREFIX = VERSION_FLAG | 1;
