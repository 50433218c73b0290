import { hash } from 'node:crypto';
import { addressOf, type Address } from './address.ts';
import { isOnCurve } from './curve.ts';

/** A program-derived address: off the curve, so that only its program can sign for it. */
export interface Pda {
  readonly address: Address;
  readonly bytes: Uint8Array;
  /** The highest byte that, appended to the seeds, gives an address off the curve. */
  readonly bump: number;
}

/** What is hashed after the seeds and the program id (`solana-address` PDA_MARKER). */
const PDA_MARKER = Buffer.from('ProgramDerivedAddress', 'latin1');

/**
 * The program-derived address of `seeds` (each up to 32 bytes, at most 15 of them) under a program, as
 * `Pubkey::find_program_address` finds it: sha256 of seeds, bump, program id and marker, bump counting down from 255.
 */
export function findPda(seeds: readonly Uint8Array[], programId: Uint8Array): Pda {
  const preimage = Buffer.concat([...seeds, Buffer.of(0), programId, PDA_MARKER]);
  const bumpAt = preimage.length - PDA_MARKER.length - programId.length - 1;
  for (let bump = 255; bump >= 0; bump--) {
    preimage[bumpAt] = bump;
    const bytes = sha256(preimage);
    if (!isOnCurve(bytes)) return { address: addressOf(bytes), bytes, bump };
  }
  // 256 points in a row: probability 2^-256. The network fails the same way.
  throw new Error('no bump gives an address off the curve');
}

/** node:crypto is fastest when it answers in latin1: building a Buffer object costs more than the hash. */
function sha256(data: Uint8Array): Uint8Array {
  const text = hash('sha256', data, 'latin1' as 'hex');
  const bytes = new Uint8Array(32);
  for (let i = 0; i < 32; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
