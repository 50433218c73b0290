import { ADDRESS_BYTES, addressBytes, type Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import type { TransactionRecord } from '../execution.ts';
import { ACCOUNT_HEAD_BYTES } from './account-codec.ts';
import { AccountEncoder, type AccountPatch } from './account-patch.ts';
import { encodeRecord } from './record-codec.ts';
import { decodePosition, encodePosition, POSITION_BYTES } from './record-position.ts';
import type { Commit, LandedMessage, LedgerIdentity, RecordPosition, TimeAnchor } from './store.ts';

const SEED_BYTES = 32;
const DIGEST_BYTES = 32;
const NUMBER_BYTES = 8;

/** Bits that say which parts a commit has. */
const HAS_IDENTITY = 1;
const HAS_ANCHOR = 2;
const HAS_RECORD = 4;
/** The anchor has a lead over the machine's clock. */
const HAS_LEAD = 8;
const HAS_MESSAGE = 16;

/** Replaces the length of an account that is stored as a patch. */
const PATCH = 0xffff_ffff;

/** A stored account or a patch of it; null for a deleted one. */
export interface EncodedAccount {
  /** 32 bytes. */
  readonly address: Buffer;
  readonly value: Buffer | AccountPatch | null;
}

/** A stored transaction and its index keys. */
export interface EncodedRecord {
  readonly signature: Buffer;
  readonly position: RecordPosition;
  /** The addresses it names, 32 bytes each. */
  readonly addresses: Buffer;
  readonly value: Buffer;
}

/** A commit in the form shared by the journal and the database. */
export interface EncodedCommit {
  readonly slotCeiling: number;
  readonly identity: LedgerIdentity | undefined;
  readonly timeAnchor: TimeAnchor | undefined;
  readonly message: LandedMessage | undefined;
  readonly accounts: readonly EncodedAccount[];
  readonly record: EncodedRecord | undefined;
}

/**
 * Encodes a commit.
 *
 * @param encoder must have seen all earlier commits of the ledger; a fresh one by default.
 */
export function encodeCommit(commit: Commit, encoder = new AccountEncoder()): EncodedCommit {
  const { accounts = [], record, recordAddresses = [], slotCeiling, identity, timeAnchor, message } = commit;
  if (identity !== undefined) encoder.clear();
  return {
    slotCeiling,
    identity,
    timeAnchor,
    message,
    accounts: accounts.map(([address, account]) => ({
      address: Buffer.from(addressBytes(address)),
      value: encoder.encode(address, account),
    })),
    record: record && encodeLanded(record, recordAddresses),
  };
}

function encodeLanded(record: TransactionRecord, names: readonly Address[]): EncodedRecord {
  const signature = Buffer.from(decodeBase58(record.signature));
  return {
    signature,
    // A reference to the record itself would keep it in memory besides its bytes.
    position: { slot: record.slot, index: record.index },
    addresses: Buffer.concat(names.map(addressBytes)),
    value: encodeRecord(record, signature, names),
  };
}

/**
 * Serialises a commit, little-endian. Parts bits u8, slot ceiling f64; identity 4 x 32; anchor 4 x f64 and
 * its lead f64; of a message the height of its blockhash and the height below which they had expired f64
 * each, and its digest 32; account count u32, and for each: address, length u32, value (empty for a deleted
 * account), or u32::MAX and a patch; then of the record: signature, position, address count u32, addresses,
 * and the value up to the end. A patch: head 49, length of the value u32, offset of the changed bytes u32,
 * their count u32, the bytes.
 */
export function writeCommit(commit: EncodedCommit): Buffer {
  const { identity, timeAnchor, message, accounts, record } = commit;
  const lead = timeAnchor?.aheadMs ?? 0;
  const parts =
    (identity ? HAS_IDENTITY : 0) |
    (timeAnchor ? HAS_ANCHOR : 0) |
    (record ? HAS_RECORD : 0) |
    (lead === 0 ? 0 : HAS_LEAD) |
    (message ? HAS_MESSAGE : 0);
  const pieces: Uint8Array[] = [Buffer.of(parts), numbers(commit.slotCeiling)];
  if (identity) {
    const { genesisHash, blockhashSeed, faucetSeed, identitySeed } = identity;
    pieces.push(decodeBase58(genesisHash), blockhashSeed, faucetSeed, identitySeed);
  }
  if (timeAnchor) {
    const { slot, unixMs, slotMs, afterSlot } = timeAnchor;
    pieces.push(numbers(slot, unixMs, slotMs, afterSlot));
    if (lead !== 0) pieces.push(numbers(lead));
  }
  if (message) pieces.push(numbers(message.blockhashHeight, message.expiredBelow), message.digest);
  pieces.push(count(accounts.length));
  for (const { address, value } of accounts) {
    pieces.push(address);
    if (value === null) pieces.push(count(0));
    else if (Buffer.isBuffer(value)) pieces.push(count(value.length), value);
    else
      pieces.push(
        count(PATCH),
        value.head,
        ...[value.length, value.at, value.bytes.length].map(count),
        value.bytes,
      );
  }
  if (record) {
    const { signature, position, addresses, value } = record;
    pieces.push(
      signature,
      encodePosition(position),
      count(addresses.length / ADDRESS_BYTES),
      addresses,
      value,
    );
  }
  return Buffer.concat(pieces);
}

/** Deserialises a commit. The result points into `bytes`. */
export function readCommit(bytes: Buffer): EncodedCommit {
  const source = new CommitReader(bytes);
  const parts = source.take(1)[0] as number;
  const slotCeiling = source.number();
  return {
    slotCeiling,
    identity: parts & HAS_IDENTITY ? source.identity() : undefined,
    timeAnchor: parts & HAS_ANCHOR ? source.anchor((parts & HAS_LEAD) !== 0) : undefined,
    message: parts & HAS_MESSAGE ? source.message() : undefined,
    accounts: Array.from({ length: source.count() }, () => source.account()),
    record: parts & HAS_RECORD ? source.record() : undefined,
  };
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * NUMBER_BYTES);
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, index * NUMBER_BYTES);
  return bytes;
}

function count(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}

/**
 * Reads a commit front to back. Parts stay views of the buffer. There are no bounds checks: the checksum of
 * the enclosing frame guarantees that nothing is missing.
 */
class CommitReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  number(): number {
    return this.take(NUMBER_BYTES).readDoubleLE(0);
  }

  count(): number {
    return this.take(4).readUInt32LE(0);
  }

  identity(): LedgerIdentity {
    return {
      genesisHash: encodeBase58(this.take(SEED_BYTES)),
      blockhashSeed: new Uint8Array(this.take(SEED_BYTES)),
      faucetSeed: new Uint8Array(this.take(SEED_BYTES)),
      identitySeed: new Uint8Array(this.take(SEED_BYTES)),
    };
  }

  anchor(hasLead: boolean): TimeAnchor {
    const anchor = {
      slot: this.number(),
      unixMs: this.number(),
      slotMs: this.number(),
      afterSlot: this.number(),
    };
    return hasLead ? { ...anchor, aheadMs: this.number() } : anchor;
  }

  message(): LandedMessage {
    const [blockhashHeight, expiredBelow] = [this.number(), this.number()];
    return { blockhashHeight, expiredBelow, digest: new Uint8Array(this.take(DIGEST_BYTES)) };
  }

  account(): EncodedAccount {
    const address = this.take(ADDRESS_BYTES);
    const length = this.count();
    if (length === PATCH) return { address, value: this.patch() };
    return { address, value: length === 0 ? null : this.take(length) };
  }

  patch(): AccountPatch {
    const head = this.take(ACCOUNT_HEAD_BYTES);
    const length = this.count();
    const at = this.count();
    return { head, length, at, bytes: this.take(this.count()) };
  }

  record(): EncodedRecord {
    return {
      signature: this.take(SIGNATURE_BYTES),
      position: decodePosition(this.take(POSITION_BYTES)),
      addresses: this.take(this.count() * ADDRESS_BYTES),
      // `subarray` stops at the end, so this takes the rest.
      value: this.take(this.#bytes.length),
    };
  }
}
