import { hash } from 'node:crypto';
import { type Address, ADDRESS_BYTES, addressOf, rememberAddress, writeAddress } from './address.ts';
import { viewOf, wasm } from './wasm.ts';

/** A program-derived address. It is off the curve, so only its program can sign for it. */
export interface Pda {
  readonly address: Address;
  /** The highest byte that, appended to the seeds, gives an address off the curve. */
  readonly bump: number;
}

/** Up to 32 bytes, or an address. */
export type Seed = Uint8Array | Address;

/** Maximum number of seeds, including the bump (`solana-address` MAX_SEEDS), and of bytes per seed. */
const SEEDS_MAX = 15;
const SEED_BYTES_MAX = 32;

/** Input of the module: seeds, one byte for the bump, program id. */
const preimage: Uint8Array = viewOf(wasm?.preimage, SEEDS_MAX * SEED_BYTES_MAX + 1 + ADDRESS_BYTES);

/** 32 bytes: a point to check, or the address that was found. */
const point: Uint8Array = viewOf(wasm?.point, ADDRESS_BYTES);

/**
 * Derives the program-derived address of `seeds` under a program, like `Pubkey::find_program_address`: sha256
 * of seeds, bump, program id and marker, with the bump counting down from 255.
 *
 * @throws {RangeError} for more than 15 seeds, a seed of more than 32 bytes, or a program id that does not
 *   have 32 bytes.
 */
export function findPda(seeds: readonly Seed[], programId: Seed): Pda {
  if (seeds.length > SEEDS_MAX) throw new RangeError(`an address can have at most ${SEEDS_MAX} seeds`);
  let bumpAt = 0;
  for (const seed of seeds) bumpAt = writeSeed(bumpAt, seed);
  const end = writeSeed(bumpAt + 1, programId);
  if (end !== bumpAt + 1 + ADDRESS_BYTES) throw new RangeError(`a program id must be ${ADDRESS_BYTES} bytes`);
  let bump = wasm === null ? -1 : wasm.findBump(bumpAt);
  if (bump < 0) bump = findPlainBump(preimage, bumpAt, point);
  const address = addressOf(point);
  rememberAddress(address, point);
  return { address, bump };
}

/** Writes a seed at an offset, and returns the offset after the seed. */
function writeSeed(offset: number, seed: Seed): number {
  if (typeof seed === 'string') {
    writeAddress(preimage, offset, seed);
    return offset + ADDRESS_BYTES;
  }
  if (seed.length > SEED_BYTES_MAX) throw new RangeError(`a seed has at most ${SEED_BYTES_MAX} bytes`);
  preimage.set(seed, offset);
  return offset + seed.length;
}

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, by the rules of the network
 * (curve25519-dalek `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and x =
 * 0 is accepted with either sign.
 *
 * @throws {RangeError} for any other number of bytes.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== ADDRESS_BYTES) throw new RangeError(`a point has ${ADDRESS_BYTES} bytes`);
  point.set(bytes);
  const verdict = wasm === null ? 0 : wasm.judgePoint();
  return verdict === 0 ? isPlainlyOnCurve(point) : verdict > 0;
}

/** Marker appended to the seeds and the program id before hashing (`solana-address` PDA_MARKER). */
const MARKER = Buffer.from('ProgramDerivedAddress', 'latin1');

/**
 * Finds a bump like {@link findPda}, with BigInt. It is used without WebAssembly, if the module gives up, and
 * to test the module. A check of one bump takes about 15 us. Writes the address to `address` and returns the
 * bump.
 *
 * @param input seeds, one byte at `bumpAt` that is overwritten, and the program id.
 */
export function findPlainBump(input: Uint8Array, bumpAt: number, address: Uint8Array): number {
  const seedsAndProgram = input.subarray(0, bumpAt + 1 + ADDRESS_BYTES);
  for (let bump = 255; bump >= 0; bump--) {
    input[bumpAt] = bump;
    address.set(hash('sha256', Buffer.concat([seedsAndProgram, MARKER]), 'buffer'));
    if (!isPlainlyOnCurve(address)) return bump;
  }
  // All 256 bumps are on the curve: probability 2^-256. The network fails in the same way.
  throw new Error('no bump gives an address off the curve');
}

/** The prime of the field (RFC 8032, 5.1). */
const P = 2n ** 255n - 19n;

/** Checks a point like {@link isOnCurve}, with BigInt. */
export function isPlainlyOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt.asUintN(255, BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`));
  const z = (y * y) % P;
  return jacobi(121_665n * z * z - 243_331n * z + 121_666n, P) >= 0;
}

/** Computes the Jacobi symbol (n | m) of an odd m, by Euclid's algorithm. */
function jacobi(n: bigint, m: bigint): number {
  let [a, b, symbol] = [((n % m) + m) % m, m, 1];
  while (a !== 0n) {
    for (; (a & 1n) === 0n; a >>= 1n) if ((b & 7n) === 3n || (b & 7n) === 5n) symbol = -symbol;
    if ((a & b & 3n) === 3n) symbol = -symbol;
    [a, b] = [b % a, a];
  }
  return b === 1n ? symbol : 0;
}
