import { hash } from 'node:crypto';
import { ADDRESS_BYTES, addressBytes, addressOf, writeAddress, type Address } from './address.ts';
import { compactU16Size } from './compact-u16.ts';
import type { Instruction } from './instruction.ts';
import {
  collateAddresses,
  compileLegacyMessage,
  takeRoom,
  type CompiledMessage,
  type MessageSource,
} from './message.ts';

/** A family of legacy messages that differ in some of their addresses and numbers only. */
export interface MessageForm {
  /**
   * Tells the form from all others, and contains every address that whoever asks for a message can choose.
   */
  readonly name: string;
  /** How many addresses change. */
  readonly addressCount: number;
  /** Sizes of the numbers that change, bytes: unsigned, little-endian, in instruction data. */
  readonly numberSizes: readonly number[];
  /**
   * What a message with these addresses and numbers contains: always the same instructions on the same
   * accounts.
   */
  contain(addresses: readonly Address[], numbers: readonly bigint[]): Omit<MessageSource, 'blockhash'>;
}

/** A template with all that changes but the blockhash. */
export interface FilledTemplate {
  /** Number of instructions. */
  readonly length: number;
  /**
   * The message that {@link compileLegacyMessage} makes of the same content, without going through it again.
   */
  compile(blockhash: Uint8Array): CompiledMessage;
}

/** An account of the message. */
interface Slot {
  /** Of a changing one, the address it has in the message written last. */
  address: Address;
  /** Offsets in the message at which instructions name it by its index. */
  readonly uses: readonly number[];
}

/** Neighbours in the message that have equal rights, so that their addresses decide their order. */
interface Group {
  /** Index of the first. */
  readonly start: number;
  /** Index after the last. */
  readonly end: number;
}

/** A number that changes. */
interface NumberField {
  readonly size: number;
  readonly max: bigint;
  /** Offsets in the message. */
  readonly places: readonly number[];
}

/** An address that changes. */
interface AddressField {
  /** The account it is of the message; undefined when it is none. */
  readonly slot: Slot | undefined;
  /** Offsets in the message at which it stands in instruction data. */
  readonly places: readonly number[];
}

const BLOCKHASH_BYTES = 32;

/** Where the addresses begin in a message with less than 128 of them: after the header and their number. */
const ADDRESSES_AT = 4;

/**
 * The finished bytes of a form, into which what changes is written. It is made of messages that are compiled
 * the ordinary way with stand-ins: where a stand-in turns up, there belongs what it stands for.
 */
export class MessageTemplate {
  readonly #bytes: Uint8Array;
  readonly #instructionCount: number;
  readonly #blockhashAt: number;
  readonly #signerCount: number;
  /** Every account, in the order of the message written last. */
  readonly #slots: Slot[];
  readonly #addresses: readonly AddressField[];
  readonly #numbers: readonly NumberField[];
  /** Those with changing addresses; the others stay as they are. */
  readonly #groups: readonly Group[];
  /** The accounts that do not change. */
  readonly #fixed: ReadonlySet<Address>;

  constructor(form: MessageForm) {
    const standIns = Array.from({ length: form.addressCount }, (_, i) => standIn(form.name, i));
    const zeros = form.numberSizes.map(() => 0n);
    const content = form.contain(standIns, zeros);
    const { bytes } = compileLegacyMessage({ ...content, blockhash: new Uint8Array(BLOCKHASH_BYTES) });
    const { slots, dataPlaces } = readMessage(bytes, content.instructions);
    const placesIn = (addresses: readonly Address[], numbers: readonly bigint[], size: number): number[] =>
      findPlaces(content.instructions, form.contain(addresses, numbers).instructions, size, dataPlaces);

    this.#bytes = bytes;
    this.#instructionCount = content.instructions.length;
    this.#blockhashAt = ADDRESSES_AT + slots.length * ADDRESS_BYTES;
    this.#numbers = form.numberSizes.map((size, i) => {
      const max = (1n << BigInt(size * 8)) - 1n;
      return { size, max, places: placesIn(standIns, zeros.with(i, max), size) };
    });
    this.#addresses = standIns.map((address, i) => ({
      slot: slots.find((slot) => slot.address === address),
      places: placesIn(standIns.with(i, invert(address)), zeros, ADDRESS_BYTES),
    }));
    const isChanging = (slot: Slot): boolean => standIns.includes(slot.address);
    this.#fixed = new Set(slots.filter((slot) => !isChanging(slot)).map(({ address }) => address));
    this.#groups = groupByRights(bytes, slots.length).filter(({ start, end }) =>
      slots.slice(start, end).some(isChanging),
    );
    this.#signerCount = bytes[0] as number;
    this.#slots = slots;
  }

  /**
   * Fills in what changes, in the order of the form. Null when two accounts coincide: one then stands where
   * the template has two, so that the message has to be compiled from its instructions.
   *
   * @throws {RangeError} for a number that does not fit.
   */
  fillIn(addresses: readonly Address[], numbers: readonly bigint[]): FilledTemplate | null {
    for (const [i, address] of addresses.entries()) {
      if (this.#fixed.has(address) || addresses.includes(address, i + 1)) return null;
    }
    for (const [i, { max, size }] of this.#numbers.entries()) {
      const number = numbers[i] as bigint;
      if (number < 0n || number > max) throw new RangeError(`${number} does not fit into ${size} bytes`);
    }
    return {
      length: this.#instructionCount,
      compile: (blockhash) => this.#write(addresses, numbers, blockhash),
    };
  }

  #write(addresses: readonly Address[], numbers: readonly bigint[], blockhash: Uint8Array): CompiledMessage {
    const bytes = takeRoom(this.#bytes.length);
    bytes.set(this.#bytes);
    bytes.set(blockhash, this.#blockhashAt);
    for (const [i, { slot, places }] of this.#addresses.entries()) {
      const address = addresses[i] as Address;
      if (slot !== undefined) slot.address = address;
      for (const place of places) writeAddress(bytes, place, address);
    }
    for (const group of this.#groups) writeGroup(bytes, this.#slots, group);
    for (const [i, field] of this.#numbers.entries()) writeNumber(bytes, field, numbers[i] as bigint);
    return { bytes, signers: this.#slots.slice(0, this.#signerCount).map(({ address }) => address) };
  }
}

/** An address in no message: to be in one, it would have to be the hash of a text that contains it. */
const standIn = (formName: string, index: number): Address =>
  addressOf(new Uint8Array(hash('sha256', `${index} ${formName}`, 'buffer')));

/** The address that differs from another in every byte. */
const invert = (address: Address): Address => addressOf(addressBytes(address).map((byte) => ~byte));

function writeGroup(bytes: Uint8Array, slots: Slot[], { start, end }: Group): void {
  sortByAddress(slots, start, end);
  for (let index = start; index < end; index++) {
    const { address, uses } = slots[index] as Slot;
    writeAddress(bytes, ADDRESSES_AT + index * ADDRESS_BYTES, address);
    for (const use of uses) bytes[use] = index;
  }
}

/** Sorts from `start` to before `end` by insertion, which costs a third of `Array.sort` for a dozen. */
function sortByAddress(slots: Slot[], start: number, end: number): void {
  for (let next = start + 1; next < end; next++) {
    const slot = slots[next] as Slot;
    let at = next;
    for (; at > start; at--) {
      const before = slots[at - 1] as Slot;
      if (collateAddresses(before.address, slot.address) <= 0) break;
      slots[at] = before;
    }
    slots[at] = slot;
  }
}

const wide = new DataView(new ArrayBuffer(8));

function writeNumber(bytes: Uint8Array, { size, places }: NumberField, value: bigint): void {
  wide.setBigUint64(0, value, true);
  for (const place of places) {
    for (let i = 0; i < size; i++) bytes[place + i] = wide.getUint8(i);
  }
}

/**
 * The accounts of a compiled message, with the places at which its instructions name them, and where their
 * data is.
 */
function readMessage(
  bytes: Uint8Array,
  instructions: readonly Instruction[],
): { slots: Slot[]; dataPlaces: number[] } {
  const count = bytes[ADDRESSES_AT - 1] as number;
  const slots = Array.from({ length: count }, (_, index) => {
    const at = ADDRESSES_AT + index * ADDRESS_BYTES;
    return { address: addressOf(bytes.subarray(at, at + ADDRESS_BYTES)), uses: [] as number[] };
  });
  const dataPlaces: number[] = [];
  let at = ADDRESSES_AT + count * ADDRESS_BYTES + BLOCKHASH_BYTES + compactU16Size(instructions.length);
  const readUse = (): void => {
    slots[bytes[at] as number]?.uses.push(at);
    at += 1;
  };
  for (const { accounts, data } of instructions) {
    readUse();
    at += compactU16Size(accounts.length);
    accounts.forEach(readUse);
    at += compactU16Size(data.length);
    dataPlaces.push(at);
    at += data.length;
  }
  return { slots, dataPlaces };
}

/** The fee payer, then those with equal rights, as the message's header counts them. */
function groupByRights(bytes: Uint8Array, count: number): Group[] {
  const [signers = 0, readonlySigned = 0, readonlyUnsigned = 0] = bytes;
  const ends = [1, signers - readonlySigned, signers, count - readonlyUnsigned, count];
  return ends.map((end, i) => ({ start: ends[i - 1] ?? 0, end }));
}

/**
 * Where the data of two contents differ that have other bits in one value of `size` bytes: its offsets in the
 * message.
 */
function findPlaces(
  contents: readonly Instruction[],
  others: readonly Instruction[],
  size: number,
  dataPlaces: readonly number[],
): number[] {
  return contents.flatMap(({ data }, i) => {
    const places: number[] = [];
    const other = others[i]?.data;
    for (let at = 0; at < data.length; at++) {
      if (data[at] === other?.[at]) continue;
      places.push((dataPlaces[i] as number) + at);
      at += size - 1;
    }
    return places;
  });
}
