import { hash } from 'node:crypto';
import { ADDRESS_BYTES, addressOf, writeAddress, type Address } from './address.ts';
import { isOnCurve } from './curve.ts';
import { rememberAddress } from './recent-addresses.ts';

/** A program-derived address: off the curve, so that only its program can sign for it. */
export interface Pda {
  readonly address: Address;
  /** The highest byte that, appended to the seeds, gives an address off the curve. */
  readonly bump: number;
}

/** What is hashed after the seeds and the program id (`solana-address` PDA_MARKER). */
const PDA_MARKER = Buffer.from('ProgramDerivedAddress', 'latin1');

/** Up to 32 bytes; an address stands for its own. */
export type Seed = Uint8Array | Address;

/**
 * The program-derived address of `seeds` (at most 15 of them) under a program, as `Pubkey::find_program_address` finds
 * it: sha256 of seeds, bump, program id and marker, bump counting down from 255.
 */
export function findPda(seeds: readonly Seed[], programId: Seed): Pda {
  let bumpAt = 0;
  for (const seed of seeds) bumpAt += typeof seed === 'string' ? ADDRESS_BYTES : seed.length;
  const preimage = roomFor(bumpAt + 1 + ADDRESS_BYTES + PDA_MARKER.length);
  let at = 0;
  for (const seed of seeds) at = writeSeed(preimage, at, seed);
  writeSeed(preimage, bumpAt + 1, programId);
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    sha256(preimage, digest);
    if (isOnCurve(digest)) continue;
    const address = addressOf(digest);
    rememberAddress(address, digest);
    return { address, bump };
  }
  // 256 points in a row: probability 2^-256. The network fails the same way.
  throw new Error('no bump gives an address off the curve');
}

/** Returns the offset after the seed. */
function writeSeed(target: Uint8Array, offset: number, seed: Seed): number {
  if (typeof seed === 'string') {
    writeAddress(target, offset, seed);
    return offset + ADDRESS_BYTES;
  }
  target.set(seed, offset);
  return offset + seed.length;
}

/** Places to work in: making a typed array costs more than copying 32 bytes. There are as many as lengths of seeds. */
const rooms: Uint8Array[] = [];
const digest = new Uint8Array(32);

/** A preimage of so many bytes, with the marker at its end. */
function roomFor(byteCount: number): Uint8Array {
  let room = rooms[byteCount];
  if (room === undefined) {
    room = new Uint8Array(byteCount);
    room.set(PDA_MARKER, byteCount - PDA_MARKER.length);
    rooms[byteCount] = room;
  }
  return room;
}

/** node:crypto is fastest when it answers in latin1: building a Buffer object costs more than the hash. */
function sha256(data: Uint8Array, result: Uint8Array): void {
  const text = hash('sha256', data, 'latin1' as 'hex');
  for (let i = 0; i < result.length; i++) result[i] = text.charCodeAt(i);
}
