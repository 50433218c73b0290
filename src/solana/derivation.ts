import { findPlainBump, isPlainlyOnCurve } from './plain-derivation.ts';
import { viewOf, wasm } from './wasm.ts';

/** Bytes of the longest preimage without its marker: 15 seeds of 32 bytes, a bump, a program id. */
const PREIMAGE_BYTES_MAX = 15 * 32 + 1 + 32;

/** Where seeds, a byte for the bump and the program id are put, one after the other. */
export const preimage: Uint8Array = viewOf(wasm?.preimage, PREIMAGE_BYTES_MAX);

/** Where 32 bytes are put that may be a point, and where an address is found. */
export const point: Uint8Array = viewOf(wasm?.point, 32);

/** The bump of the program-derived address of what is in `preimage`, whose bytes it leaves in `point`. */
export function findBump(bumpAt: number): number {
  const bump = wasm === null ? -1 : wasm.findBump(bumpAt);
  return bump < 0 ? findPlainBump(preimage, bumpAt, point) : bump;
}

/** Whether the bytes in `point` are on the curve, as `isOnCurve` says it. */
export function isPoint(): boolean {
  const verdict = wasm === null ? 0 : wasm.judgePoint();
  return verdict === 0 ? isPlainlyOnCurve(point) : verdict > 0;
}
