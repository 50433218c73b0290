import { addressOf } from './address.ts';
import { VERSION_FLAG } from './message-version.ts';
import { SIGNATURE_BYTES } from './signature.ts';
import { WireError, WireReader, type MessageParts } from './transaction.ts';

/** The first byte of a message of version 1 (SIMD-0385); its transaction begins with it, too. */
export const V1_PREFIX = VERSION_FLAG | 1;

/** Most instructions, addresses and signatures of a message (`solana-message` `v1`). */
const INSTRUCTIONS_MAX = 64;
const ADDRESSES_MAX = 64;
const SIGNATURES_MAX = 12;

/**
 * Bits of the config mask and what each group stands for: priority fee u64 in lamports (both bits), compute
 * unit limit u32, limit of loaded account data u32, heap size u32.
 */
const PRIORITY_FEE_BITS = 0b11;
const OTHER_BITS = [0b100, 0b1000, 0b10000];
const KNOWN_BITS = 0b11111;

/** A message of version 1, and what it offers beyond its signatures, lamports. */
export interface MessageV1 extends MessageParts {
  readonly priorityFee: bigint;
}

/**
 * Takes a message of version 1 apart: header 3, config mask u32, blockhash 32, counts of instructions and
 * addresses u8, addresses, config values, a head for each instruction (program u8, account count u8, data
 * length u16), their accounts and data. It has no lookup tables. Bytes after it are tolerated.
 *
 * @param bytes the message from its version byte on.
 * @throws {WireError} naming what is wrong.
 */
export function decodeMessageV1(bytes: Uint8Array): MessageV1 {
  const reader = new WireReader(bytes);
  if (reader.u8() !== V1_PREFIX) throw new WireError('no message of version 1');
  const requiredSignatures = reader.u8();
  const readonlySigned = reader.u8();
  const readonlyUnsigned = reader.u8();
  const mask = reader.u32();
  const blockhashAt = reader.offset;
  reader.take(32);
  const instructionCount = reader.u8();
  const addressCount = reader.u8();
  const staticKeys = times(addressCount, () => addressOf(reader.take(32)));
  const priorityFee = readConfig(reader, mask);
  const heads = times(instructionCount, () => ({
    programIdIndex: reader.u8(),
    accountCount: reader.u8(),
    dataBytes: reader.u16(),
  }));
  const instructions = heads.map(({ programIdIndex, accountCount, dataBytes }) => ({
    programIdIndex,
    accounts: reader.take(accountCount),
    data: reader.take(dataBytes),
  }));
  return {
    wire: bytes.subarray(0, reader.offset),
    signatures: times(requiredSignatures, () => new Uint8Array(SIGNATURE_BYTES)),
    messageAt: 0,
    blockhashAt,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    staticKeys,
    instructions,
    lookups: [],
    priorityFee,
  };
}

/** Whether the counts of a message are within what version 1 allows, and no address is named twice. */
export function isWithinV1({ requiredSignatures, staticKeys, instructions }: MessageV1): boolean {
  return (
    requiredSignatures <= SIGNATURES_MAX &&
    staticKeys.length <= ADDRESSES_MAX &&
    instructions.length <= INSTRUCTIONS_MAX &&
    new Set(staticKeys).size === staticKeys.length
  );
}

/** The priority fee of the config; the limits are the runtime's business. */
function readConfig(reader: WireReader, mask: number): bigint {
  const feeBits = mask & PRIORITY_FEE_BITS;
  if (mask > KNOWN_BITS || (feeBits !== 0 && feeBits !== PRIORITY_FEE_BITS)) {
    throw new WireError(`invalid transaction config mask ${mask}`);
  }
  const priorityFee = feeBits === 0 ? 0n : reader.u64();
  for (const bit of OTHER_BITS) if ((mask & bit) !== 0) reader.u32();
  return priorityFee;
}

function times<T>(count: number, read: () => T): T[] {
  return Array.from({ length: count }, read);
}
