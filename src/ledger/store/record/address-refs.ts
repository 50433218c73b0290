import { ADDRESS_BYTES, addressBytes, addressOf, type Address } from '../../../solana/address.ts';
import type { LoadedAddresses } from '../../execution.ts';
import type { ByteSink } from './byte-sink.ts';
import type { ByteSource } from './byte-source.ts';
import { findStaticKeys, type StaticKeys } from './wire-parts.ts';

/**
 * The addresses of a record, each by a number: first the keys in its wire bytes, then those loaded from
 * lookup tables, then others in the order in which they come up.
 */
export class AddressRefs {
  readonly #wire: Buffer;
  readonly #keys: StaticKeys;
  readonly #numbers = new Map<Address, number>();
  readonly #others: Uint8Array[] = [];
  /** How many keys the transaction has, those of lookup tables included. */
  readonly keyCount: number;

  constructor(wire: Uint8Array, { writable, readonly }: LoadedAddresses) {
    this.#wire = Buffer.from(wire.buffer, wire.byteOffset, wire.length);
    this.#keys = findStaticKeys(wire);
    let number = this.#keys.count;
    for (const address of [...writable, ...readonly]) this.#numbers.set(address, number++);
    this.keyCount = number;
  }

  /** The number of an address; the next one if it has come up for the first time. */
  numberOf(address: Address): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    const bytes = addressBytes(address);
    const inWire = this.#findInWire(bytes);
    const number = inWire ?? this.keyCount + this.#others.push(bytes) - 1;
    this.#numbers.set(address, number);
    return number;
  }

  /** Writes those that are in neither the wire bytes nor the lookup tables; last, once all came up. */
  writeOthers(sink: ByteSink): void {
    sink.varint(this.#others.length);
    for (const bytes of this.#others) sink.bytes(bytes);
  }

  #findInWire(bytes: Uint8Array): number | undefined {
    const { at, count } = this.#keys;
    for (let number = 0; number < count; number++) {
      const from = at + number * ADDRESS_BYTES;
      if (this.#wire.compare(bytes, 0, ADDRESS_BYTES, from, from + ADDRESS_BYTES) === 0) return number;
    }
    return undefined;
  }
}

/** The addresses of a record by their numbers, as {@link AddressRefs} gave them. */
export class AddressTable {
  readonly #wire: Uint8Array;
  readonly #keys: StaticKeys;
  readonly #behind: readonly Uint8Array[];
  readonly #texts: Address[] = [];
  /** How many keys the transaction has, those of lookup tables included. */
  readonly keyCount: number;

  /**
   * @param loaded those of lookup tables.
   * @param others those that {@link AddressRefs.writeOthers} wrote.
   */
  constructor(wire: Uint8Array, loaded: readonly Uint8Array[], others: readonly Uint8Array[]) {
    this.#wire = wire;
    this.#keys = findStaticKeys(wire);
    this.#behind = [...loaded, ...others];
    this.keyCount = this.#keys.count + loaded.length;
  }

  bytes(number: number): Uint8Array {
    const { at, count } = this.#keys;
    if (number >= count) return this.#behind[number - count] as Uint8Array;
    const from = at + number * ADDRESS_BYTES;
    return this.#wire.subarray(from, from + ADDRESS_BYTES);
  }

  address(number: number): Address {
    return (this.#texts[number] ??= addressOf(this.bytes(number)));
  }

  /** The next address of a source, which has its number there. */
  read(source: ByteSource): Address {
    return this.address(source.varint());
  }
}
