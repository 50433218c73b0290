import { addressOf, type Address } from './address.ts';
import { ByteReader } from './byte-reader.ts';
import { VERSION_FLAG } from './message-version.ts';
import { SIGNATURE_BYTES } from './signature.ts';

/** Why bytes are not a transaction. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** One instruction as the message holds it: indices into the account keys. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/** A lookup table a v0 message reads addresses from: indices into the table. */
export interface TableLookup {
  readonly table: Address;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

/** A transaction taken apart. Byte arrays are views into `wire`. */
export interface Transaction {
  /** Exactly the bytes of the transaction; what followed them in the input is not part of it. */
  readonly wire: Uint8Array;
  readonly version: 'legacy' | 0;
  readonly signatures: readonly Uint8Array[];
  /** Offset of the message, the part that is signed, in `wire`. */
  readonly messageAt: number;
  /** Offset of the 32 bytes of the blockhash in `wire`. */
  readonly blockhashAt: number;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  /** The keys the message itself lists, without those of lookup tables. */
  readonly staticKeys: readonly Address[];
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
}

/** A transaction but for its version: what all versions have in common. */
export type MessageParts = Omit<Transaction, 'version'>;

/**
 * Takes a legacy or v0 transaction apart. Refuses everything that the native engine could abort on: lengths
 * that are not canonical, missing bytes, unknown versions. Bytes after the transaction are tolerated, as
 * Agave does.
 *
 * Whether the message makes sense (indices in range, enough signatures) is {@link isSane}'s to judge.
 *
 * @throws {WireError} naming what is wrong and where.
 */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const reader = new WireReader(bytes);
  if (bytes.length > 0 && (bytes[0] as number) >= VERSION_FLAG) {
    throw new WireError('transaction version is not supported: only legacy and v0 are');
  }
  const signatures = reader.shortList('signatures', () => reader.take(SIGNATURE_BYTES));
  const messageAt = reader.offset;
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
    messageAt,
    blockhashAt,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    instructions,
    lookups,
  };
}

/**
 * Most accounts a transaction may name, lookup tables included (Agave `MAX_TX_ACCOUNT_LOCKS` bounds it
 * further).
 */
const ACCOUNTS_MAX = 256;

/** Whether counts and indices of a transaction fit together (`VersionedTransaction::sanitize`). */
export function isSane(transaction: MessageParts): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys, signatures, lookups } =
    transaction;
  if (signatures.length !== requiredSignatures || requiredSignatures > staticKeys.length) return false;
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

/** Whether the static key at `index` is writable by the message's header. */
export function isStaticKeyWritable(transaction: MessageParts, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, staticKeys } = transaction;
  return index < requiredSignatures
    ? index < requiredSignatures - readonlySigned
    : index < staticKeys.length - readonlyUnsigned;
}

/**
 * The same transaction with another blockhash (32 bytes), itself when it has that one already. Instructions
 * and signatures go on pointing into the old bytes.
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

/** The bytes of a transaction being read. What is not its form throws {@link WireError}. */
export class WireReader extends ByteReader {
  /** As many items as a compact-u16 says. */
  shortList<T>(name: string, read: () => T): T[] {
    const count = this.compactU16();
    // Every element takes a byte at least, so a larger count cannot be honest.
    if (count > this.remaining) throw new WireError(`${name}: ${count} do not fit in the data`);
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read());
    return items;
  }

  protected override fault(what: string, at: number): WireError {
    return new WireError(`${what} at byte ${at}`);
  }
}
