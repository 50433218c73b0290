import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { type ByteReader, Unparsable } from '../../solana/byte-reader.ts';

const hash = (reader: ByteReader): string => encodeBase58(reader.take(32));

const timestamp = (reader: ByteReader): bigint | null => reader.option(() => reader.i64());

/** `Vote`: the voted slots and the hash of the last one. */
export function parseVotedSlots(reader: ByteReader): JsonOutputObject {
  const slots = reader.list(8, () => reader.u64());
  return { hash: hash(reader), slots, timestamp: timestamp(reader) };
}

/** `VoteStateUpdate`: a whole tower of lockouts. The members of a lockout have Rust's names. */
export function parseTower(reader: ByteReader): JsonOutputObject {
  const lockouts = reader.list(12, () => {
    const slot = reader.u64();
    return { confirmation_count: reader.u32(), slot };
  });
  const root = reader.option(() => reader.u64());
  return { hash: hash(reader), lockouts, root, timestamp: timestamp(reader) };
}

/** The root value that means none in compact towers. */
const NO_ROOT = 0xffff_ffff_ffff_ffffn;

/**
 * The compact form of `VoteStateUpdate`: each slot is the distance from the previous one, starting at the
 * root.
 */
export function parseCompactTower(reader: ByteReader): JsonOutputObject {
  const first = reader.u64();
  const root = first === NO_ROOT ? null : first;
  let slot = root ?? 0n;
  const lockouts: JsonOutput[] = [];
  for (let rest = reader.compactU16(); rest > 0; rest--) {
    slot += varint(reader);
    if (slot > NO_ROOT) throw new Unparsable('a slot beyond u64');
    lockouts.push({ confirmation_count: reader.u8(), slot });
  }
  return { hash: hash(reader), lockouts, root, timestamp: timestamp(reader) };
}

/** The compact form of `TowerSync`: a compact tower and the id of its block. */
export function parseTowerSync(reader: ByteReader): JsonOutputObject {
  const tower = parseCompactTower(reader);
  return { blockId: hash(reader), ...tower };
}

/** A u64 as a varint of seven-bit groups, low ones first (`solana-serde-varint`). */
function varint(reader: ByteReader): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.u8();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    if ((byte === 0 && shift > 0n) || value > NO_ROOT) break;
    return value;
  }
  throw new Unparsable('not a varint');
}
