import { crc32 } from 'node:zlib';
import type { Database, RangeOptions, RootDatabase, Transaction } from 'lmdb';
import type { KeyRange } from './account-keys.ts';
import { ledgerDamaged } from './damage.ts';

/** A stored value starts with the CRC-32 of its key and itself, u32 little-endian. */
export const SUM_BYTES = 4;

const NOWHERE = Buffer.alloc(0);

/** LMDB `MDB_APPEND`. lmdb-js takes the option; its types have it for a put with a version alone. */
const APPEND = { append: true } as unknown as number;

/** Where lmdb has put what it read: in buffers that the next read overwrites. */
interface Whereabouts {
  key: Uint8Array;
  keyFrom: number;
  keyTo: number;
  bytes: Uint8Array;
  to: number;
}

/** Encoders that copy nothing and tell where key and value lie. */
function readingInto(last: Whereabouts) {
  return {
    keyEncoder: {
      writeKey(key: Uint8Array, target: Buffer, position: number): number {
        target.set(key, position);
        return position + key.length;
      },
      readKey(key: Buffer, from: number, to: number): Uint8Array {
        last.key = key;
        last.keyFrom = from;
        last.keyTo = to;
        return NOWHERE;
      },
    },
    encoder: {
      encode(): never {
        throw new Error('what is read in place is not written');
      },
      decode(bytes: Uint8Array, to: number): null {
        last.bytes = bytes;
        last.to = to;
        return null;
      },
    },
  };
}

/**
 * Goes through entries of a table as they were when it began. What it shows of an entry is good until the
 * next read of the file. It has to be gone on to the end, or closed: until then the file reuses none of the
 * pages that it may come to.
 */
class SealedWalk {
  readonly #iterator: Iterator<unknown>;
  readonly #last: Whereabouts;
  readonly #open: (key: Uint8Array, bytes: Buffer) => Buffer;

  constructor(
    iterator: Iterator<unknown>,
    last: Whereabouts,
    open: (key: Uint8Array, bytes: Buffer) => Buffer,
  ) {
    this.#iterator = iterator;
    this.#last = last;
    this.#open = open;
  }

  /** Moves to the next entry; false if there is none. */
  next(): boolean {
    return this.#iterator.next().done !== true;
  }

  close(): void {
    this.#iterator.return?.();
  }

  /** The buffer that has the value, which is not checked. */
  get bytes(): Uint8Array {
    return this.#last.bytes;
  }

  /** Where the value begins and ends in it. */
  get valueFrom(): number {
    return SUM_BYTES;
  }

  get valueTo(): number {
    return this.#last.to;
  }

  /** A copy of the key. */
  key(): Buffer {
    const { key, keyFrom, keyTo } = this.#last;
    return copyOf(key, keyFrom, keyTo);
  }

  /** A copy of the value. @throws {ServiceError} LEDGER_DAMAGED if it is not what was written. */
  value(): Buffer {
    return this.#open(this.key(), copyOf(this.#last.bytes, 0, this.#last.to));
  }
}

/** A copy; `length` of a buffer of lmdb's is not that of its memory. */
function copyOf({ buffer, byteOffset }: Uint8Array, from: number, to: number): Buffer {
  return Buffer.from(new Uint8Array(buffer, byteOffset + from, to - from));
}

/** A state of the file that reads can go on to see. */
export type Moment = Transaction;

/** The location of a table, for messages. */
interface TablePlace {
  readonly folder: string;
  readonly file: string;
}

/** MDB_PAGE_NOTFOUND and MDB_CORRUPTED of lmdb.h: what lmdb says of a page that is none of its tree. */
const DAMAGED_PAGE_CODES: ReadonlySet<unknown> = new Set([-30_797, -30_796]);

/** A named database of an LMDB file whose values carry a checksum of where and what they are. */
export class SealedTable {
  readonly name: string;
  readonly #place: TablePlace;
  readonly #entries: Database<Buffer, Uint8Array>;
  /** The same entries, read where they lie. */
  readonly #inPlace: Database<unknown, Uint8Array>;
  /** What of them was read last. */
  readonly #last: Whereabouts = { key: NOWHERE, keyFrom: 0, keyTo: 0, bytes: NOWHERE, to: 0 };

  constructor(root: RootDatabase, name: string, place: TablePlace) {
    this.name = name;
    this.#place = place;
    this.#entries = root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' });
    this.#inPlace = root.openDB({ name, ...readingInto(this.#last) });
  }

  /** The number of entries. */
  get count(): number {
    return (this.#entries.getStats() as { entryCount: number }).entryCount;
  }

  /** @throws {ServiceError} LEDGER_DAMAGED if the value is not the one stored under the key. */
  get(key: Uint8Array, transaction?: Moment): Buffer | undefined {
    try {
      const bytes = this.#entries.get(key, transaction && { transaction });
      return bytes === undefined ? undefined : this.open(key, bytes);
    } catch (error) {
      throw this.reasonOf(error);
    }
  }

  /** Keys and values in order. Throws LEDGER_DAMAGED as {@link get}. */
  *range(options: RangeOptions): Iterable<readonly [Buffer, Buffer]> {
    for (const { key, value } of this.#entries.getRange(options)) {
      yield [key as Buffer, this.open(key, value)];
    }
  }

  /** The entries of a range as of a moment, without a copy of each. */
  walk({ start, end }: KeyRange, transaction: Moment): SealedWalk {
    const iterator = this.#inPlace.getRange({ start, end, transaction })[Symbol.iterator]();
    return new SealedWalk(iterator, this.#last, (key, bytes) => this.open(key, bytes));
  }

  /** Call only inside a transaction of the file, like {@link remove} and {@link clear}. */
  put(key: Uint8Array, value: Uint8Array): void {
    void this.#entries.put(key, this.#seal(key, value));
  }

  /**
   * Puts an entry behind all others: pages are then filled, of which {@link put} leaves room for an entry.
   * One that is not behind all others is left out without a word.
   */
  append(key: Uint8Array, value: Uint8Array): void {
    void this.#entries.put(key, this.#seal(key, value), APPEND);
  }

  remove(key: Uint8Array): void {
    void this.#entries.remove(key);
  }

  clear(): void {
    this.#entries.clearSync();
  }

  #seal(key: Uint8Array, value: Uint8Array): Buffer {
    const bytes = Buffer.allocUnsafe(SUM_BYTES + value.length);
    bytes.writeUInt32LE(sum(key, value), 0);
    bytes.set(value, SUM_BYTES);
    return bytes;
  }

  /** The error for one that lmdb threw: LEDGER_DAMAGED where a page was none of its tree. */
  reasonOf(error: unknown): unknown {
    const isDamage = DAMAGED_PAGE_CODES.has((error as { code?: unknown }).code);
    return isDamage ? this.damaged('a page is not one of its tree') : error;
  }

  /** The error for a fault in this table. */
  damaged(what: string): Error {
    return ledgerDamaged(this.#place, `${what} in ${this.name}`);
  }

  /**
   * The value in the bytes that are stored under a key.
   *
   * @throws {ServiceError} LEDGER_DAMAGED if it is not what was written there.
   */
  open(key: Uint8Array, bytes: Buffer): Buffer {
    const value = bytes.subarray(SUM_BYTES);
    if (bytes.length < SUM_BYTES || bytes.readUInt32LE(0) !== sum(key, value)) {
      throw this.damaged(`the value of ${Buffer.from(key).toString('hex')} is not what was written`);
    }
    return value;
  }
}

function sum(key: Uint8Array, value: Uint8Array): number {
  return crc32(value, crc32(key));
}
