import { addressBytes, addressOf, type Address } from '../../solana/address.ts';
import { encodeUnsignedTransaction, compileLegacyMessage } from '../../solana/message.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { transferLamports } from '../../programs/system.ts';

/** Returns an address of 32 equal bytes, whose key is unknown. */
export const addressFilledWith = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));

/** Encodes a legacy transaction whose signature bytes are all 7. */
export function legacyWire(feePayer: Address, instructions: readonly Instruction[]): Uint8Array {
  const blockhash = new Uint8Array(32).fill(5);
  const wire = encodeUnsignedTransaction(compileLegacyMessage({ feePayer, blockhash, instructions }));
  return wire.fill(7, 1, 65);
}

/** Encodes a transfer of lamports between two addresses, filled with 1 and with 2. */
export const transferWire = (): Uint8Array =>
  legacyWire(addressFilledWith(1), [
    transferLamports(addressFilledWith(1), addressFilledWith(2), 1_000_000n),
  ]);

/** The parts of a v0 transaction in wire order. */
interface V0Parts {
  readonly keys: readonly Address[];
  readonly header: readonly [required: number, readonlySigned: number, readonlyUnsigned: number];
  readonly instructions: readonly { programIdIndex: number; accounts: number[]; data: Uint8Array }[];
  readonly lookups: readonly { table: Address; writable: number[]; readonly: number[] }[];
}

/** Encodes a v0 transaction. All lengths must be below 128. */
export function v0Wire({ keys, header, instructions, lookups }: V0Parts): Uint8Array {
  const withLength = (bytes: ArrayLike<number>): number[] => [bytes.length, ...Array.from(bytes)];
  return Uint8Array.from([
    header[0],
    ...new Uint8Array(64 * header[0]).fill(7),
    0x80,
    ...header,
    keys.length,
    ...keys.flatMap((key) => [...addressBytes(key)]),
    ...new Uint8Array(32).fill(5),
    instructions.length,
    ...instructions.flatMap(({ programIdIndex, accounts, data }) => [
      programIdIndex,
      ...withLength(accounts),
      ...withLength(data),
    ]),
    lookups.length,
    ...lookups.flatMap(({ table, writable, readonly }) => [
      ...addressBytes(table),
      ...withLength(writable),
      ...withLength(readonly),
    ]),
  ]);
}
