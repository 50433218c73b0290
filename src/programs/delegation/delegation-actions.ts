import { type Address, ADDRESS_BYTES, addressOf } from '../../solana/address.ts';
import { ByteReader, tryParse, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import { concat } from '../instruction-data.ts';
import { DELEGATION_RECORD_BYTES } from './state.ts';

/** Opens a box sealed for a validator; returns null if it cannot be opened. */
type OpenSealed = (sealed: Uint8Array) => Uint8Array | null;

/** Bits of an account's byte: its index in the keys of the actions, and its rights. */
const INDEX_MASK = 0b0011_1111;
const SIGNER_FLAG = 0b0100_0000;
const WRITABLE_FLAG = 0b1000_0000;

/** The keys of the actions, in index order. */
interface ActionKeys {
  readonly addresses: readonly Address[];
  /** The signers on base. */
  readonly signers: ReadonlySet<Address>;
}

/**
 * Decodes the instructions that a validator runs after an account is delegated to it. They follow the 96
 * bytes of a delegation record (delegation program `PostDelegationActions`, Borsh with u32 lengths). Two u8
 * counts give the number of signers and of other accounts. The signers' keys follow, then the other keys,
 * each in the clear (tag 0) or sealed (tag 1). Each instruction is a program u8, its accounts (each a byte in
 * the clear or sealed) and its data, whose end may be sealed. The delegation program has verified the signers
 * on base.
 *
 * @param data the data of the record.
 * @returns an empty list for a record without actions; null if the bytes are in another format, a box cannot
 *   be opened, or an action requires a signature of an account that did not sign on base.
 */
export function decodeDelegationActions(data: Uint8Array, open: OpenSealed): readonly Instruction[] | null {
  if (data.length === DELEGATION_RECORD_BYTES) return [];
  const reader = new ActionReader(data.subarray(DELEGATION_RECORD_BYTES), open);
  return (
    tryParse(() => {
      const keys = readKeys(reader);
      const instructions = reader.list32(() => readInstruction(reader, keys));
      if (reader.remaining > 0) throw new Unparsable('bytes after the actions');
      return instructions;
    }) ?? null
  );
}

function readKeys(reader: ActionReader): ActionKeys {
  const firstSigners = reader.u8();
  const firstOthers = reader.u8();
  const signers = reader.list32(() => reader.address());
  const others = reader.list32(() => reader.clearOrSealed(ADDRESS_BYTES, addressOf));
  if (firstSigners > signers.length || firstOthers > others.length) throw new Unparsable('too few keys');
  const addresses = [
    ...signers.slice(0, firstSigners),
    ...others.slice(0, firstOthers),
    ...signers.slice(firstSigners),
    ...others.slice(firstOthers),
  ];
  return { addresses, signers: new Set(signers) };
}

function readInstruction(reader: ActionReader, keys: ActionKeys): Instruction {
  const programId = keyAt(keys, reader.u8());
  const accounts = reader.list32(() => readMeta(reader, keys));
  const clear = reader.bytes32();
  const sealed = reader.bytes32();
  const data = sealed.length === 0 ? clear : concat(clear, reader.open(sealed));
  return { programId, accounts, data };
}

function readMeta(reader: ActionReader, keys: ActionKeys): AccountMeta {
  const meta = reader.clearOrSealed(1, ([byte]) => byte as number);
  const address = keyAt(keys, meta & INDEX_MASK);
  const signer = (meta & SIGNER_FLAG) !== 0;
  if (signer && !keys.signers.has(address)) throw new Unparsable('a signer that did not sign');
  return { address, signer, writable: (meta & WRITABLE_FLAG) !== 0 };
}

function keyAt({ addresses }: ActionKeys, index: number): Address {
  const address = addresses[index];
  if (address === undefined) throw new Unparsable('an index of no key');
  return address;
}

/** Reads Borsh with sealed parts. */
class ActionReader extends ByteReader {
  readonly #open: OpenSealed;

  constructor(bytes: Uint8Array, open: OpenSealed) {
    super(bytes);
    this.#open = open;
  }

  list32<T>(read: () => T): T[] {
    const count = this.u32();
    if (count > this.remaining) throw new Unparsable('too few bytes');
    return Array.from({ length: count }, read);
  }

  bytes32(): Uint8Array {
    return this.take(this.u32());
  }

  /** Reads `byteCount` bytes, in the clear after a 0 or in a sealed box after a 1. */
  clearOrSealed<T>(byteCount: number, read: (bytes: Uint8Array) => T): T {
    const bytes = this.bool() ? this.open(this.bytes32()) : this.take(byteCount);
    if (bytes.length !== byteCount) throw new Unparsable('another length');
    return read(bytes);
  }

  open(sealed: Uint8Array): Uint8Array {
    const bytes = this.#open(sealed);
    if (bytes === null) throw new Unparsable('sealed for another validator');
    return bytes;
  }
}
