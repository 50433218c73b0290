import { hash } from 'node:crypto';

/**
 * Program-derived addresses as they are defined, on BigInt: what decides where the WebAssembly module gives
 * up or there is no WebAssembly, and what the module is tested against. A test of one string takes about 15
 * us.
 */

/** The prime of the field (RFC 8032, 5.1). */
const P = 2n ** 255n - 19n;

/** What is hashed after the seeds and the program id (`solana-address` PDA_MARKER). */
const MARKER = Buffer.from('ProgramDerivedAddress', 'latin1');

const PROGRAM_BYTES = 32;

/**
 * The highest bump for which sha256 of seeds, bump, program id and marker is no point of the curve.
 * `preimage` has the seeds, a byte to be written at `bumpAt`, and the program id; the address is written to
 * `address`.
 */
export function findPlainBump(preimage: Uint8Array, bumpAt: number, address: Uint8Array): number {
  const seedsAndProgram = preimage.subarray(0, bumpAt + 1 + PROGRAM_BYTES);
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    address.set(hash('sha256', Buffer.concat([seedsAndProgram, MARKER]), 'buffer'));
    if (!isPlainlyOnCurve(address)) return bump;
  }
  // 256 points in a row: probability 2^-256. The network fails the same way.
  throw new Error('no bump gives an address off the curve');
}

/** Whether 32 bytes are the compressed form of a point of edwards25519, as `isOnCurve` says it. */
export function isPlainlyOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt.asUintN(255, BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`));
  const z = (y * y) % P;
  return jacobi(121_665n * z * z - 243_331n * z + 121_666n, P) >= 0;
}

/** The Jacobi symbol (n | m) of an odd m, by Euclid's algorithm. */
function jacobi(n: bigint, m: bigint): number {
  let [a, b, symbol] = [((n % m) + m) % m, m, 1];
  while (a !== 0n) {
    for (; (a & 1n) === 0n; a >>= 1n) if ((b & 7n) === 3n || (b & 7n) === 5n) symbol = -symbol;
    if ((a & b & 3n) === 3n) symbol = -symbol;
    [a, b] = [b % a, a];
  }
  return b === 1n ? symbol : 0;
}
