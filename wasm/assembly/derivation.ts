import { judgeCurve } from './on-curve';
import { BLOCK, compress, expand, INITIAL, SCHEDULE, STATE, writeDigest } from './sha256';

/** Room for 15 seeds of 32 bytes, what is hashed after them, the padding, and what is cleared beyond it. */
export const preimage = memory.data(640, 8);

/** Room for 32 bytes that may be a point, and for what is read beyond them. */
export const point = memory.data(40, 8);

/** Bytes of the program id. */
const PROGRAM: usize = 32;

/** "ProgramDerivedAddress" (`solana-address` PDA_MARKER). */
const MARKER = memory.data<u8>([
  0x50, 0x72, 0x6f, 0x67, 0x72, 0x61, 0x6d, 0x44, 0x65, 0x72, 0x69, 0x76, 0x65, 0x64, 0x41, 0x64, 0x64, 0x72,
  0x65, 0x73, 0x73,
]);
const MARKER_BYTES: usize = 21;

const schedule = memory.data(SCHEDULE, 4);
const lastSchedule = memory.data(SCHEDULE, 4);
const middle = memory.data(STATE, 4);
const state = memory.data(STATE, 4);

/**
 * The highest bump for which sha256 of seeds, bump, program id and marker is no point of the curve
 * (`Pubkey::find_program_address`), or -1 when that was not found out. The caller has put the seeds in
 * `preimage`, left out the byte at `bumpAt`, and put the program id after it; the address is then in `point`.
 */
export function findBump(bumpAt: usize): i32 {
  const end = closePreimage(bumpAt + 1 + PROGRAM);
  // The blocks before the one with the bump are the same for all bumps, and so is the one that may follow it.
  let block = preimage;
  let start = INITIAL;
  for (; block + BLOCK <= preimage + bumpAt; block += BLOCK) {
    expand(block, schedule);
    compress(start, schedule, middle);
    start = middle;
  }
  const isLast = block + BLOCK == end;
  if (!isLast) expand(block + BLOCK, lastSchedule);
  for (let bump = 255; bump >= 0; bump--) {
    store<u8>(preimage + bumpAt, <u8>bump);
    expand(block, schedule);
    compress(start, schedule, state);
    if (!isLast) compress(state, lastSchedule, state);
    writeDigest(state, point);
    const verdict = judgeCurve(point);
    if (verdict < 0) return bump;
    if (verdict == 0) return -1;
  }
  return -1;
}

/**
 * Whether the bytes in `point` are a point of the curve: 1 for yes, -1 for no, 0 when it was not found out.
 */
export function judgePoint(): i32 {
  return judgeCurve(point);
}

/**
 * Appends marker and padding (FIPS 180-4, 5.1.1) to a preimage of so many bytes; returns where its blocks
 * end.
 */
function closePreimage(count: usize): usize {
  let at = preimage + count;
  memory.copy(at, MARKER, MARKER_BYTES);
  at += MARKER_BYTES;
  const bits = (at - preimage) << 3;
  const end = preimage + ((at - preimage + 9 + BLOCK - 1) & ~(BLOCK - 1));
  store<u8>(at, 0x80);
  for (at++; at < end; at += 8) store<u64>(at, 0);
  store<u32>(end - 4, bswap(<u32>bits));
  return end;
}
