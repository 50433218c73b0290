import { judgeCurve } from './on-curve';
import { BLOCK, compress, expand, INITIAL, SCHEDULE, STATE, writeDigest } from './sha256';

/** Buffer for 15 seeds of 32 bytes, the rest of the input, the padding, and the bytes cleared beyond it. */
export const preimage = memory.data(640, 8);

/** Buffer for 32 bytes that may be a point, and for the bytes read beyond them. */
export const point = memory.data(40, 8);

/** Size of the program id, bytes. */
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
 * Finds the highest bump for which sha256 of seeds, bump, program id and marker is off the curve
 * (`Pubkey::find_program_address`), and writes the address to `point`. Returns -1 if it gives up. `preimage`
 * must have the seeds, a free byte at `bumpAt`, and then the program id.
 */
export function findBump(bumpAt: usize): i32 {
  const end = closePreimage(bumpAt + 1 + PROGRAM);
  // The blocks before and after the one with the bump are the same for all bumps.
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

/** Whether the bytes in `point` are a point on the curve: 1 for yes, -1 for no, 0 if undecided. */
export function judgePoint(): i32 {
  return judgeCurve(point);
}

/** Appends marker and padding (FIPS 180-4, 5.1.1) to a preimage. Returns the end of its blocks. */
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
