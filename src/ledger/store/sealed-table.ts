import { crc32 } from 'node:zlib';
import type { Database, RangeOptions, RootDatabase } from 'lmdb';
import { ledgerDamaged } from './damage.ts';

/** A stored value starts with the CRC-32 of its key and itself, u32 little-endian. */
const SUM_BYTES = 4;

/** The location of a table, for messages. */
interface TablePlace {
  readonly folder: string;
  readonly file: string;
}

/** A named database of an LMDB file whose values carry a checksum of where and what they are. */
export class SealedTable {
  readonly name: string;
  readonly #place: TablePlace;
  readonly #entries: Database<Buffer, Uint8Array>;

  constructor(root: RootDatabase, name: string, place: TablePlace) {
    this.name = name;
    this.#place = place;
    this.#entries = root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' });
  }

  /** The number of entries. */
  get count(): number {
    return (this.#entries.getStats() as { entryCount: number }).entryCount;
  }

  /** @throws {ServiceError} LEDGER_DAMAGED if the value is not the one stored under the key. */
  get(key: Uint8Array): Buffer | undefined {
    const bytes = this.#entries.get(key);
    return bytes === undefined ? undefined : this.#open(key, bytes);
  }

  /** Keys and values in order. Throws LEDGER_DAMAGED as {@link get}. */
  *range(options: RangeOptions): Iterable<readonly [Buffer, Buffer]> {
    for (const { key, value } of this.#entries.getRange(options)) {
      yield [key as Buffer, this.#open(key, value)];
    }
  }

  /** Call only inside a transaction of the file, like {@link remove} and {@link clear}. */
  put(key: Uint8Array, value: Uint8Array): void {
    const bytes = Buffer.allocUnsafe(SUM_BYTES + value.length);
    bytes.writeUInt32LE(sum(key, value), 0);
    bytes.set(value, SUM_BYTES);
    void this.#entries.put(key, bytes);
  }

  remove(key: Uint8Array): void {
    void this.#entries.remove(key);
  }

  clear(): void {
    this.#entries.clearSync();
  }

  /** The error for a fault in this table. */
  damaged(what: string): Error {
    return ledgerDamaged(this.#place, `${what} in ${this.name}`);
  }

  #open(key: Uint8Array, bytes: Buffer): Buffer {
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
