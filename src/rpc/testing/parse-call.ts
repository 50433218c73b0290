import type { Address } from '../../solana/address.ts';
import { showParsedInstruction } from '../parsed/parse-instruction.ts';
import { addressFilledWith } from './transactions.ts';

/** The accounts of {@link parseCall} by position: addresses filled with 1, 2, 3, ... */
export const ACCOUNTS: readonly Address[] = Array.from({ length: 8 }, (_, index) =>
  addressFilledWith(index + 1),
);

/**
 * Parses an instruction with the first `accountCount` of {@link ACCOUNTS}. Returns its `parsed` member, or
 * 'not parsed' if addresses and data are shown instead.
 */
export function parseCall(programId: Address, accountCount: number, data: ArrayLike<number>): unknown {
  const accounts = Uint8Array.from({ length: accountCount }, (_, index) => index);
  const instruction = { programIdIndex: ACCOUNTS.length, accounts, data: Uint8Array.from(data) };
  const shown = showParsedInstruction(instruction, [...ACCOUNTS, programId], 1);
  return 'parsed' in shown ? shown['parsed'] : 'not parsed';
}

/** Encodes `value` in `byteCount` bytes, little endian. */
export function littleEndian(value: number | bigint, byteCount: number): number[] {
  return Array.from({ length: byteCount }, (_, index) =>
    Number((BigInt(value) >> BigInt(8 * index)) & 0xffn),
  );
}

/** Returns 32 equal bytes. */
export const filled = (byte: number): number[] => Array.from({ length: 32 }, () => byte);
