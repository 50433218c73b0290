import { concat, u32 } from '../../programs/instruction-data.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import type { ByteReader } from '../../solana/byte-reader.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';

const SIGNER = 1;
const WRITABLE = 2;

/** An account passed to an action or a callback. */
export interface AccountUse {
  readonly address: Address;
  readonly isWritable: boolean;
}

/** Encodes a base58 signature; zeros stand for none. */
export function signatureField(signature: string | null): Uint8Array {
  return signature === null ? new Uint8Array(SIGNATURE_BYTES) : decodeBase58(signature);
}

export function readSignature(reader: ByteReader): string {
  return encodeBase58(reader.take(SIGNATURE_BYTES));
}

export function readOptionalSignature(reader: ByteReader): string | null {
  const bytes = reader.take(SIGNATURE_BYTES);
  return bytes.every((byte) => byte === 0) ? null : encodeBase58(bytes);
}

/** Encodes bytes after their length (u32). */
export function bytesField(bytes: Uint8Array): Uint8Array {
  return concat(u32(bytes.length), bytes);
}

/** Returns a copy, so that the result does not keep the account's data alive. */
export function readBytes(reader: ByteReader): Uint8Array {
  return reader.take(reader.u32()).slice();
}

/** Reads a u32 count and that many items. */
export function readList<Item>(reader: ByteReader, read: () => Item): Item[] {
  return Array.from({ length: reader.u32() }, read);
}

export function accountUseField({ address, isWritable }: AccountUse): Uint8Array {
  return concat(addressBytes(address), Uint8Array.of(isWritable ? 1 : 0));
}

export function readAccountUse(reader: ByteReader): AccountUse {
  return { address: reader.address(), isWritable: reader.bool() };
}

export function instructionField({ programId, accounts, data }: Instruction): Uint8Array {
  const metas = accounts.map(({ address, signer, writable }) => {
    return concat(addressBytes(address), Uint8Array.of((signer ? SIGNER : 0) | (writable ? WRITABLE : 0)));
  });
  return concat(addressBytes(programId), u32(metas.length), ...metas, bytesField(data));
}

export function readInstruction(reader: ByteReader): Instruction {
  return {
    programId: reader.address(),
    accounts: readList(reader, () => readMeta(reader)),
    data: readBytes(reader),
  };
}

function readMeta(reader: ByteReader): AccountMeta {
  const address = reader.address();
  const flags = reader.u8();
  return { address, signer: (flags & SIGNER) !== 0, writable: (flags & WRITABLE) !== 0 };
}
